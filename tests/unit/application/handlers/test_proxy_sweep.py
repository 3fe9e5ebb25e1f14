"""What a sweep finds, what it never finds, and when it says nothing at all."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from adapters.filesystem.proxy_folder import MountedProxyFolder
from application.handling import Run, Stopped, StopReason, WorkError
from domain.attempt import RunId
from domain.ids import Attempt, StorageConfigId
from domain.kinds.proxy_sweep import ProxySweepPayload, ProxySweepResult
from domain.media.proxy_finding import Finding, FindingKind, FindingNumber
from domain.progress import Progress
from tests.support.builders import ids
from tests.support.clock import START
from tests.support.photos import without_rights, written
from tests.support.proxy_files import HOUR, a_file
from tests.support.sweeping import a_proxy_path
from tests.support.tidying import CountedFolder, Tidying, some_proxies

NOTHING = ProxySweepResult(
    files=0,
    rows=0,
    orphan_files=0,
    orphan_bytes=0,
    temporary_leftovers=0,
    leftover_bytes=0,
    missing_files=0,
    young_files=0,
    foreign_files=0,
)
MARKER = "Barbarella"
"""What no text may hold: all folders of these tests are called so."""


@pytest.fixture
async def tidying(tmp_path: Path) -> Tidying:
    root = tmp_path / MARKER
    root.mkdir()
    return await some_proxies(root)


def preview(tidying: Tidying, number: int) -> str:
    return a_proxy_path(tidying.config, number=number)


async def swept(tidying: Tidying) -> list[tuple[str, FindingKind]]:
    """What a sweep of its own finds, in its order."""
    run = Run(RunId((await tidying.sweeping.swept()).id, Attempt(1)), ProxySweepPayload())
    await tidying.sweeper().handle(run)
    return [(finding.path, finding.what) for finding in await tidying.found(run.id)]


@dataclass(frozen=True, slots=True)
class WhenRowsAreRead(CountedFolder):
    """Something happens once some rows are read, and before their files are looked for."""

    happens: Callable[[], object] = object

    async def absent(self, paths: Collection[str]) -> frozenset[str]:
        self.happens()
        return await self.folder.absent(paths)


async def failure_of(tidying: Tidying) -> str:
    """How a sweep fails; asserts that it has reported nothing, and that no text names a folder."""
    run = await tidying.a_sweep()
    with pytest.raises(WorkError) as failure:
        await tidying.sweeper().handle(run)
    assert await tidying.found(run.id) == []
    assert MARKER not in f"{failure.value} {run.progress.latest}"
    return f"{failure.value}"


async def test_everything_that_does_not_fit_is_found_and_counted(tidying: Tidying) -> None:
    known, orphan, missing, young, young_and_known = (preview(tidying, number) for number in (1, 2, 3, 4, 5))
    leftover = orphan.replace("preview.jpg", ".preview.jpg.4711-0badcafe.tmp")
    await tidying.put(known, is_known=True)
    await tidying.known(missing, size=1_234)
    a_file(tidying.root, orphan, size=500, age=3 * HOUR)
    a_file(tidying.root, leftover, size=60, age=4 * HOUR)
    await tidying.put(young, age=timedelta(minutes=59))
    await tidying.put(young_and_known, age=timedelta(minutes=59), is_known=True)
    a_file(tidying.root, f"{MARKER}.txt")
    run = await tidying.a_sweep()

    result = await tidying.sweeper().handle(run)

    assert result == ProxySweepResult(
        files=5,
        rows=3,
        orphan_files=1,
        orphan_bytes=500,
        temporary_leftovers=1,
        leftover_bytes=60,
        missing_files=1,
        young_files=1,
        foreign_files=1,
    )
    config = tidying.config
    assert await tidying.found(run.id) == [
        Finding(FindingNumber(1), FindingKind.TEMPORARY_LEFTOVER, leftover, 60, START - 4 * HOUR, config),
        Finding(FindingNumber(2), FindingKind.ORPHAN_FILE, orphan, 500, START - 3 * HOUR, config),
        Finding(FindingNumber(3), FindingKind.MISSING_FILE, missing, 1_234, None, config),
    ]
    assert run.progress.latest == Progress(8, note="3 found")
    assert MARKER not in f"{result} {run.progress.latest}"


async def test_nothing_is_changed(tidying: Tidying) -> None:
    await tidying.put(preview(tidying, 1), preview(tidying, 2))
    await tidying.known(preview(tidying, 3))

    assert len(await swept(tidying)) == 3
    assert tidying.files() == {preview(tidying, 1), preview(tidying, 2)}
    assert await tidying.sweeping.known_proxies.among([preview(tidying, 3)]) == {preview(tidying, 3)}


async def test_a_file_is_judged_when_it_is_older_than_an_hour(tidying: Tidying) -> None:
    await tidying.put(preview(tidying, 1), is_known=True)
    await tidying.put(preview(tidying, 2), age=HOUR)
    await tidying.put(preview(tidying, 3), age=-HOUR)
    assert await swept(tidying) == []

    tidying.clock.advance(timedelta(microseconds=1))
    assert await swept(tidying) == [(preview(tidying, 2), FindingKind.ORPHAN_FILE)]


async def test_the_config_that_a_path_names_need_not_exist(tidying: Tidying) -> None:
    gone = StorageConfigId(ids.next())
    await tidying.put(a_proxy_path(gone))
    await tidying.put(preview(tidying, 2), is_known=True)
    run = await tidying.a_sweep()
    await tidying.sweeper().handle(run)

    assert [(one.path, one.owner) for one in await tidying.found(run.id)] == [(a_proxy_path(gone), gone)]


async def test_rows_know_the_proxies_of_copies_of_gone_photos_and_of_configs_at_rest(
    tidying: Tidying,
) -> None:
    shared = preview(tidying, 1)
    await tidying.put(shared, is_known=True)
    await tidying.known(shared)
    await tidying.sweeping.house.pokes.deactivate(tidying.config)
    tidying.all_photos_go()

    assert await swept(tidying) == []


async def test_a_file_that_copies_share_is_missing_once(tidying: Tidying) -> None:
    await tidying.known(preview(tidying, 1), preview(tidying, 1), preview(tidying, 1))

    assert await swept(tidying) == [(preview(tidying, 1), FindingKind.MISSING_FILE)]


async def test_a_row_that_goes_meanwhile_misses_nothing(tidying: Tidying) -> None:
    await tidying.known(preview(tidying, 1), preview(tidying, 2))
    folder = WhenRowsAreRead(MountedProxyFolder(tidying.root), happens=tidying.all_rows_go)
    run = await tidying.a_sweep()

    assert await tidying.sweeper(folder=folder).handle(run) == replace(NOTHING, rows=2)
    assert await tidying.found(run.id) == []


async def test_files_without_any_row_are_not_reported_as_the_database_may_be_the_wrong_one(
    tidying: Tidying,
) -> None:
    await tidying.put(preview(tidying, 1), age=timedelta())

    assert await failure_of(tidying) == (
        "library-empty: The proxies folder holds files, and the database knows none at all: "
        "it may be the wrong one. Nothing was reported."
    )


async def test_foreign_files_without_any_row_are_only_counted(tidying: Tidying) -> None:
    a_file(tidying.root, "README.txt")
    run = await tidying.a_sweep()

    assert await tidying.sweeper().handle(run) == replace(NOTHING, foreign_files=1)


async def test_before_the_first_crawl_there_is_neither_a_folder_nor_anything_wrong(tidying: Tidying) -> None:
    tidying.root.rmdir()
    run = await tidying.a_sweep()

    assert await tidying.sweeper().handle(run) == NOTHING


async def test_a_folder_that_is_gone_fails_the_sweep_where_rows_know_better(tidying: Tidying) -> None:
    await tidying.known(preview(tidying, 1))
    tidying.root.rmdir()

    assert await failure_of(tidying) == (
        "proxies-unreadable: The proxies folder cannot be read: No such file or directory."
    )


async def test_a_folder_that_is_none_fails_the_sweep(tidying: Tidying) -> None:
    tidying.root.rmdir()
    written(tidying.root, b"")

    assert await failure_of(tidying) == (
        "proxies-unreadable: The proxies folder cannot be read: Not a directory."
    )


async def test_a_folder_that_cannot_be_read_fails_the_sweep() -> None:
    with without_rights() as folder:
        tidying = await some_proxies(folder / MARKER)
        await tidying.put(preview(tidying, 1), is_known=True)
        tidying.root.chmod(0)

        failure = await failure_of(tidying)

    assert failure == "proxies-unreadable: The proxies folder cannot be read: Permission denied."


async def test_another_attempt_finds_the_same_under_the_same_numbers(tidying: Tidying) -> None:
    await tidying.put(preview(tidying, 1), is_known=True)
    await tidying.put(*(preview(tidying, number) for number in range(2, 30)))
    await tidying.known(*(preview(tidying, number) for number in range(30, 40)))
    run = await tidying.a_sweep()
    again = replace(run, id=RunId(run.id.work_item_id, Attempt(2)))

    first, second = await tidying.sweeper().handle(run), await tidying.sweeper().handle(again)
    # What was cut off after it had reported is followed by itself, if the machine was only slow.
    await tidying.sweeper().handle(run)

    assert first == second
    assert await tidying.found(run.id) == await tidying.found(again.id)
    assert [finding.number for finding in await tidying.found(run.id)] == list(range(1, 39))


async def test_a_sweep_that_is_cancelled_keeps_what_it_has_found_so_far(tidying: Tidying) -> None:
    await tidying.put(preview(tidying, 1), is_known=True)
    for number in range(1_500):
        a_file(tidying.root, preview(tidying, 2).replace("preview", f"{number:04}"))
    run = await tidying.a_sweep()
    run.cancel.request(StopReason.CANCEL_REQUESTED)

    stopped = await tidying.sweeper().handle(run)

    assert isinstance(stopped, Stopped)
    assert isinstance(stopped.result, ProxySweepResult)
    assert (stopped.result.files, stopped.result.rows) == (1_000, 0)
    assert stopped.result.orphan_files == len(await tidying.found(run.id)) == 999


async def test_a_sweep_that_is_cancelled_among_the_rows_keeps_what_it_has_found_so_far(
    tidying: Tidying,
) -> None:
    await tidying.known(*(preview(tidying, number) for number in range(1_001)))
    run = await tidying.a_sweep()

    cancelled = partial(run.cancel.request, StopReason.CANCEL_REQUESTED)
    folder = WhenRowsAreRead(MountedProxyFolder(tidying.root), happens=cancelled)
    stopped = await tidying.sweeper(folder=folder).handle(run)

    assert isinstance(stopped, Stopped)
    assert stopped.result == replace(NOTHING, rows=1_000, missing_files=1_000)


async def test_a_large_folder_is_swept_in_parts(tidying: Tidying) -> None:
    for number in range(2_100):
        a_file(tidying.root, preview(tidying, 1).replace("preview", f"{number:04}"))
    await tidying.known(*(preview(tidying, number) for number in range(2, 1_200)))
    folder = CountedFolder(MountedProxyFolder(tidying.root))
    run = await tidying.a_sweep()

    result = await tidying.sweeper(folder=folder).handle(run)

    assert folder.sizes == [1_000, 1_000, 100, 1_000, 198]
    assert result == replace(
        NOTHING, files=2_100, orphan_files=2_100, orphan_bytes=14_700, rows=1_198, missing_files=1_198
    )
