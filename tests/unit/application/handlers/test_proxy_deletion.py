"""Which files a deletion takes, which it keeps, and how it goes on after whatever stopped it."""

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.codec.payloads import MsgspecPayloadCodec
from adapters.filesystem.proxy_folder import MountedProxyFolder
from application.executor.verdict import Verdict
from application.handling import PermanentError, Run, Stopped, StopReason, WorkError
from application.ports.lanes import Raised
from domain.attempt import RunId
from domain.events import Fail, Retry
from domain.ids import Attempt, StorageConfigId, WorkItemId
from domain.kinds.kind import WorkKind
from domain.kinds.proxy_deletion import ProxyDeletionPayload, ProxyDeletionResult
from domain.media.proxy_finding import Finding, FindingKind, FindingNumber
from domain.progress import Progress
from tests.support.builders import a_success, an_id, ids
from tests.support.ids import FixedChance
from tests.support.photos import without_rights
from tests.support.proxy_files import HOUR, a_file, files_below, refusing
from tests.support.sweeping import a_proxy_path
from tests.support.tidying import CountedFolder, Tidying, a_deletion, some_proxies

MARKER = "Barbarella"
"""What no text may hold: all folders of these tests are called so."""

ONE_GONE = ProxyDeletionResult(deleted=1, deleted_bytes=7, kept=0, already_gone=0)


@pytest.fixture
async def tidying(tmp_path: Path) -> Tidying:
    root = tmp_path / MARKER
    root.mkdir()
    return await some_proxies(root)


@dataclass(frozen=True, slots=True)
class Swept:
    """A sweep that has finished, and what it has found by its paths."""

    id: WorkItemId
    findings: dict[str, Finding]

    def chosen(self, *paths: str) -> Run[ProxyDeletionPayload]:
        """A deletion of these."""
        return a_deletion(self.id, [self.findings[path] for path in paths])

    def all_of(self, *owners: StorageConfigId) -> Run[ProxyDeletionPayload]:
        """A deletion of everything that is theirs."""
        return a_deletion(self.id, (), owners=owners)


async def swept(tidying: Tidying) -> Swept:
    """A real sweep of the folder as it is."""
    run = await tidying.a_sweep()
    await tidying.sweeper().handle(run)
    await tidying.sweeping.house.store.finish(run.id.work_item_id, a_success(run.id.attempt))
    return Swept(run.id.work_item_id, {finding.path: finding for finding in await tidying.found(run.id)})


async def orphans(tidying: Tidying, *paths: str) -> Swept:
    """These files without rows, which a sweep has found, and another that rows know."""
    await tidying.put(preview(tidying, 0), is_known=True)
    await tidying.put(*paths)
    return await swept(tidying)


def preview(tidying: Tidying, number: int) -> str:
    return a_proxy_path(tidying.config, number=number)


def previews(tidying: Tidying, numbers: Sequence[int]) -> list[str]:
    return [preview(tidying, number) for number in numbers]


async def failure_of(tidying: Tidying, run: Run[ProxyDeletionPayload]) -> WorkError:
    """How it fails; asserts that no text names a folder."""
    with pytest.raises(WorkError) as failure:
        await tidying.deleter().handle(run)
    assert MARKER not in f"{failure.value} {run.progress.latest}"
    return failure.value


async def test_exactly_the_chosen_files_go(tidying: Tidying) -> None:
    paths = previews(tidying, range(1, 6))
    leftover = paths[4].replace("preview.jpg", ".preview.jpg.4711-0badcafe.tmp")
    sweep = await orphans(tidying, *paths, leftover)
    run = sweep.chosen(paths[0], paths[2], leftover)

    result = await tidying.deleter().handle(run)

    assert result == ProxyDeletionResult(deleted=3, deleted_bytes=21, kept=0, already_gone=0)
    assert tidying.files() == {preview(tidying, 0), paths[1], paths[3], paths[4]}
    assert run.progress.latest == Progress(3, total=3)
    assert MARKER not in f"{result} {run.progress.latest}"


async def test_everything_of_some_owners_goes_and_nothing_of_others(tidying: Tidying) -> None:
    others = [StorageConfigId(ids.next()), StorageConfigId(ids.next())]
    strange = [a_proxy_path(owner) for owner in others]
    sweep = await orphans(tidying, preview(tidying, 1), *strange)
    await tidying.known(preview(tidying, 2))
    run = sweep.all_of(tidying.config, others[1])

    result = await tidying.deleter().handle(run)

    assert result == ProxyDeletionResult(deleted=2, deleted_bytes=14, kept=0, already_gone=0)
    assert tidying.files() == {preview(tidying, 0), strange[0]}
    assert run.progress.latest == Progress(2, total=2)


async def test_a_file_that_rows_know_by_now_is_kept(tidying: Tidying) -> None:
    paths = previews(tidying, [1, 2])
    sweep = await orphans(tidying, *paths)
    await tidying.known(paths[0])

    result = await tidying.deleter().handle(sweep.chosen(*paths))

    assert result == replace(ONE_GONE, kept=1, kept_by_reason={"known": 1})
    assert tidying.files() == {preview(tidying, 0), paths[0]}


async def test_a_file_that_comes_to_be_known_after_the_rows_were_looked_at_is_kept_as_it_is_young(
    tidying: Tidying,
) -> None:
    path = preview(tidying, 1)
    sweep = await orphans(tidying, path)

    async def crawled() -> None:
        await tidying.put(path, age=timedelta(), is_known=True)

    result = await tidying.deleter(after=crawled).handle(sweep.chosen(path))

    assert result == ProxyDeletionResult(0, 0, kept=1, already_gone=0, kept_by_reason={"too-young": 1})
    assert path in tidying.files()


async def test_a_file_whose_row_comes_after_its_rewriting_is_kept_wherever_the_deletion_is(
    tidying: Tidying,
) -> None:
    path = preview(tidying, 1)
    sweep = await orphans(tidying, path)

    async def written() -> None:
        await tidying.put(path, age=timedelta())

    async def stored() -> None:
        await tidying.known(path)

    result = await tidying.deleter(between=written, after=stored).handle(sweep.chosen(path))

    assert result == ProxyDeletionResult(0, 0, kept=1, already_gone=0, kept_by_reason={"too-young": 1})
    assert path in tidying.files()


async def test_an_hour_is_an_hour_to_a_deletion_too(tidying: Tidying) -> None:
    paths = previews(tidying, [1, 2])
    sweep = await orphans(tidying, *paths)
    a_file(tidying.root, paths[0], age=HOUR)
    a_file(tidying.root, paths[1], age=HOUR + timedelta(microseconds=1))

    result = await tidying.deleter().handle(sweep.chosen(*paths))

    assert result == replace(ONE_GONE, kept=1, kept_by_reason={"too-young": 1})
    assert paths[0] in tidying.files()


async def test_another_run_converges(tidying: Tidying) -> None:
    paths = previews(tidying, range(1, 4))
    sweep = await orphans(tidying, *paths)
    await tidying.deleter().handle(sweep.chosen(*paths))

    result = await tidying.deleter().handle(sweep.chosen(*paths))

    assert result == ProxyDeletionResult(deleted=0, deleted_bytes=0, kept=0, already_gone=3)
    assert tidying.files() == {preview(tidying, 0)}


@pytest.mark.parametrize("depth", [1, 2, 3])
async def test_a_link_that_is_planted_since_the_sweep_leads_nowhere(tidying: Tidying, depth: int) -> None:
    path = preview(tidying, 1)
    sweep = await orphans(tidying, path)
    outside = tidying.root.parent / "outside"
    planted = Path(*Path(path).parts[:depth])
    (tidying.root / planted).rename(outside)
    (tidying.root / planted).symlink_to(outside)
    before = outside.stat().st_mtime_ns, files_below(outside)

    result = await tidying.deleter().handle(sweep.chosen(path))

    assert result == ProxyDeletionResult(0, 0, kept=1, already_gone=0, kept_by_reason={"not-a-file": 1})
    assert (outside.stat().st_mtime_ns, files_below(outside)) == before


async def test_findings_that_are_no_files_of_this_program_are_kept(tidying: Tidying) -> None:
    sweep = await orphans(tidying, preview(tidying, 1))
    strange = a_file(tidying.root, "strange.jpg")
    run = RunId(sweep.id, Attempt(1))
    lies = [
        Finding(FindingNumber(8), FindingKind.ORPHAN_FILE, "strange.jpg", 7, None, tidying.config),
        Finding(FindingNumber(9), FindingKind.MISSING_FILE, preview(tidying, 0), 7, None, tidying.config),
    ]
    await tidying.sweeping.findings.record(run, lies)

    result = await tidying.deleter().handle(a_deletion(sweep.id, lies))

    assert result == ProxyDeletionResult(0, 0, kept=2, already_gone=0, kept_by_reason={"not-a-file": 2})
    assert strange.exists()
    assert preview(tidying, 0) in tidying.files()


@pytest.mark.parametrize("number", [errno.EROFS, errno.EIO])
async def test_what_cannot_be_deleted_keeps_none_of_the_others_and_the_next_try_deletes_it(
    tidying: Tidying, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    paths = previews(tidying, range(1, 4))
    stuck = paths[1].replace("preview", "stuck")
    sweep = await orphans(tidying, *paths, stuck)
    run = sweep.chosen(*paths, stuck)

    with monkeypatch.context() as disk:
        refusing(disk, "unlink", ["stuck.jpg"], number)
        failure = await failure_of(tidying, run)

    assert not isinstance(failure, PermanentError)
    assert f"{failure}" == f"proxies-undeletable: 1 of 4 files cannot be deleted: {os.strerror(number)}."
    assert tidying.files() == {preview(tidying, 0), stuck}
    assert await tidying.deleter().handle(run) == replace(ONE_GONE, already_gone=3)


async def test_a_try_that_failed_is_followed_by_five_others_at_most_each_a_while_later(
    tidying: Tidying, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = await orphans(tidying, preview(tidying, 1))
    run = sweep.chosen(preview(tidying, 1))
    refusing(monkeypatch, "unlink", ["preview.jpg"], errno.EIO)
    answer = Raised(await failure_of(tidying, run))
    verdict = Verdict(
        item=await tidying.sweeping.running(),
        policy=WorkKind.PROXY_DELETION.retry,
        cancel=run.cancel,
        progress=run.progress.latest,
        codec=MsgspecPayloadCodec(),
        chance=FixedChance(),
    )

    ends = [replace(verdict, item=replace(verdict.item, retries=retries)).on(answer) for retries in range(6)]

    assert [type(end) for end in ends] == [Retry] * 5 + [Fail]
    assert [end.failure.code for end in ends if isinstance(end, Retry | Fail)] == ["proxies-undeletable"] * 6


async def test_a_read_only_folder_fails_the_try_that_meets_it() -> None:
    with without_rights() as folder:
        tidying = await some_proxies(folder / MARKER)
        path = preview(tidying, 1)
        sweep = await orphans(tidying, path)
        (tidying.root / path).parent.chmod(0o500)

        failure = await failure_of(tidying, sweep.chosen(path))

        (tidying.root / path).parent.chmod(0o700)
        assert await tidying.deleter().handle(sweep.chosen(path)) == ONE_GONE
    assert f"{failure}" == "proxies-undeletable: 1 of 1 files cannot be deleted: Permission denied."


async def test_a_folder_that_is_not_mounted_fails_the_try(tidying: Tidying) -> None:
    path = preview(tidying, 1)
    sweep = await orphans(tidying, path)
    tidying.root.rename(tidying.root.with_name("unmounted"))

    failure = await failure_of(tidying, sweep.chosen(path))

    assert f"{failure}" == "proxies-undeletable: 1 of 1 files cannot be deleted: No such file or directory."


async def test_a_sweep_that_was_purged_cannot_be_deleted_by(tidying: Tidying) -> None:
    path = preview(tidying, 1)
    await orphans(tidying, path)
    nobody = Finding(FindingNumber(1), FindingKind.ORPHAN_FILE, path, 7, None, tidying.config)

    failure = await failure_of(tidying, a_deletion(an_id(), [nobody]))

    assert isinstance(failure, PermanentError)
    assert f"{failure}" == "sweep-gone: The sweep and its findings are not there any more."
    assert path in tidying.files()


@pytest.mark.parametrize("names_them", [True, False])
async def test_a_sweep_that_is_purged_under_the_deletion_is_not_passed_off_as_done(
    tidying: Tidying,
    names_them: bool,  # noqa: FBT001 -- pytest's way
) -> None:
    paths = [preview(tidying, 1).replace("preview", f"{number:03}") for number in range(501)]
    sweep = await orphans(tidying, *paths)
    run = sweep.chosen(*paths) if names_them else sweep.all_of(tidying.config)

    with pytest.raises(PermanentError, match="sweep-gone"):
        await tidying.deleter(after=tidying.all_findings_go).handle(run)

    assert tidying.files() == {preview(tidying, 0), paths[500]}


async def test_a_deletion_that_is_cancelled_says_what_it_has_done(tidying: Tidying) -> None:
    paths = [preview(tidying, 1).replace("preview", f"{number:03}") for number in range(501)]
    sweep = await orphans(tidying, *paths)
    run = sweep.all_of(tidying.config)
    run.cancel.request(StopReason.CANCEL_REQUESTED)

    stopped = await tidying.deleter().handle(run)

    assert stopped == Stopped(ProxyDeletionResult(500, 3_500, kept=0, already_gone=0))
    assert tidying.files() == {preview(tidying, 0), paths[500]}
    assert run.progress.latest == Progress(500, total=501)


async def test_many_files_go_in_parts(tidying: Tidying) -> None:
    paths = [preview(tidying, 1).replace("preview", f"{number:04}") for number in range(1_001)]
    sweep = await orphans(tidying, *paths)
    folder = CountedFolder(MountedProxyFolder(tidying.root))

    await tidying.deleter(folder=folder).handle(sweep.chosen(*paths))
    await tidying.deleter(folder=folder).handle(sweep.all_of(tidying.config))

    assert folder.sizes == [500, 500, 1, 500, 500, 1]
    assert tidying.files() == {preview(tidying, 0)}


async def test_reasons_and_counts_are_all_that_a_result_holds(tidying: Tidying) -> None:
    path = preview(tidying, 1)
    sweep = await orphans(tidying, path)
    await tidying.known(path)

    result = await tidying.deleter().handle(sweep.chosen(path))

    assert not isinstance(result, Stopped)
    assert MsgspecPayloadCodec().encode_result(result) == (
        '{"deleted":0,"deletedBytes":0,"kept":1,"alreadyGone":0,"keptByReason":{"known":1}}'
    )
