"""`anichron sweeps` and `anichron deletions`: asking, looking at what was found, and deleting some or all of it."""

import asyncio
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import Result

from domain.events import Fail, RunEnd, Stop, Succeed
from domain.failure import Failure
from domain.ids import JsonText, StorageConfigId
from domain.kinds.kind import WorkKind
from domain.media.file import RelativePath
from domain.media.proxy import ProxyFile, ProxyKind
from domain.work_item import WorkItem
from entrypoints.commands import asking, findings
from entrypoints.wiring.stores import Stores
from tests.contracts.shelves import an_asset
from tests.support.builders import a_claim, a_new_item, claimed, enqueued
from tests.support.command_line import Install
from tests.support.ids import nth_id
from tests.support.photos import written
from tests.support.sweeping import a_finding, a_proxy_path, run_of

NOBODYS = StorageConfigId(nth_id(0xDEAD))
KINDS = frozenset(kind.row_name for kind in (WorkKind.PROXY_SWEEP, WorkKind.PROXY_DELETION))
LONG_AGO = 1_700_000_000


@dataclass(frozen=True, slots=True)
class Swept:
    """An install whose proxies a worker has swept: five findings, the last a lost file."""

    install: Install
    library: str
    sweep: str

    @property
    def proxies(self) -> Path:
        return self.install.data / "proxies"

    def files(self) -> set[str]:
        """The last part of what is left."""
        return {path.name for path in self.proxies.rglob("*") if path.is_file()}

    def found(self, *options: str) -> list[tuple[str, str, int]]:
        """Number, kind and size of the findings."""
        document = self.install.json("sweeps", "orphans", self.sweep, *options)
        return [(one["id"], one["what"], one["size"]) for one in document["items"]]

    def delete(self, *options: str, typed: str | None = None) -> Result:
        """Ask for a deletion."""
        return self.install.run("deletions", "start", self.sweep, *options, typed=typed)

    def worked(self) -> None:
        """Let a worker do all that waits."""
        assert self.install.process("worker", "--once").returncode == 0


@pytest.fixture(scope="module")
def swept_once(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Swept:
    """What every test gets a copy of."""
    folder = tmp_path_factory.mktemp("swept")
    install = Install(folder / "data")
    install.data.mkdir(mode=0o700)
    shutil.copyfile(sqlite_template, install.database)
    install.ada()
    library = install.library(folder / "photos")
    swept = Swept(install, library, install.ok("sweeps", "start").stdout.strip())
    config = StorageConfigId(UUID(library))
    for number, owner, name, size in (
        (1, config, "preview.jpg", 12_345),
        (2, config, "thumbnail.jpg", 777),
        (3, config, ".thumbnail.jpg.123-abc.tmp", 5),
        (4, NOBODYS, "preview.webp", 1_000),
    ):
        file = written(swept.proxies / a_proxy_path(owner, number=number, name=name), b"x" * size)
        os.utime(file, (LONG_AGO, LONG_AGO))
    lost = ProxyFile(ProxyKind.PREVIEW, a_proxy_path(config, number=5), size=4_321, width=3, height=4)
    asset = replace(an_asset(config, path=RelativePath(b"lost.jpg")), proxies=(lost,))
    install.work(lambda stores: stores.library().store(asset))
    swept.worked()
    return swept


@pytest.fixture
def swept(swept_once: Swept, tmp_path: Path) -> Swept:
    shutil.copytree(swept_once.install.data, tmp_path / "data")
    return replace(swept_once, install=Install(tmp_path / "data"))


@contextmanager
def worked_meanwhile(install: Install, *ends: Callable[[WorkItem], RunEnd]) -> Iterator[None]:
    """Let one item after the other be run, and end like this, while a command waits for it."""

    async def work(stores: Stores) -> None:
        for end in ends:
            item = await _claimed_soon(stores)
            await stores.work().finish(item.id, end(item))

    thread = threading.Thread(target=install.work, args=(work,))
    thread.start()
    yield
    thread.join()


async def _claimed_soon(stores: Stores) -> WorkItem:
    async with asyncio.timeout(20):
        while not (items := await stores.work().claim(a_claim(kinds=KINDS))):  # noqa: ASYNC110 -- another process asks for it
            await asyncio.sleep(0.05)
    return items[0]


def succeed(item: WorkItem) -> RunEnd:
    return Succeed(
        item.attempt, JsonText('{"deleted":3,"deletedBytes":1234,"kept":1,"keptByReason":{"known":1}}')
    )


def fail(item: WorkItem) -> RunEnd:
    return Fail(item.attempt, Failure("proxies-unreadable", "It cannot be read."))


def stop(item: WorkItem) -> RunEnd:
    return Stop(item.attempt, JsonText('{"deleted":1}'))


def ended(install: Install, end: Callable[[WorkItem], RunEnd], *, found: int = 0) -> str:
    """The id of a sweep that has ended so, when it had found this much."""
    id_ = install.ok("sweeps", "start").stdout.strip()

    async def work(stores: Stores) -> None:
        item = await claimed(stores.work(), a_claim(kinds=KINDS))
        some = [a_finding(number, size=10) for number in range(1, found + 1)]
        await stores.findings().record(run_of(item), some)
        await stores.work().finish(item.id, end(item))

    install.work(work)
    return id_


def test_a_sweep_is_asked_for_once_however_often(install: Install) -> None:
    first = install.ok("sweeps", "start")
    second = install.ok("sweeps", "start")

    assert first.stderr == ""
    assert second.stdout == first.stdout
    assert second.stderr == "A sweep waits already: it is that one.\n"
    assert install.json("sweeps", "start") == {"id": first.stdout.strip(), "coalesced": True}
    (item,) = install.json("items", "list")["items"]
    assert (item["id"], item["kind"], item["requestedBy"]) == (first.stdout.strip(), "proxy-sweep", None)


@pytest.mark.parametrize(
    ("end", "code", "words"),
    [
        (succeed, 0, "succeeded  deleted 3, deleted size 1.2 kB, kept 1 (known 1)"),
        (fail, 10, "failed  proxies-unreadable: It cannot be read."),
        (stop, 11, "cancelled, partial  deleted 1"),
    ],
)
def test_a_sweep_can_be_waited_for(
    install: Install, end: Callable[[WorkItem], RunEnd], code: int, words: str
) -> None:
    with worked_meanwhile(install, end):
        result = install.run("sweeps", "start", "--wait")

    assert result.exit_code == code
    assert result.stdout.splitlines()[-1].endswith(words)


def test_what_a_sweep_has_found_is_one_line_each(swept: Swept) -> None:
    result = swept.install.ok("sweeps", "orphans", swept.sweep[:18])

    config, mine, nobodys = StorageConfigId(UUID(swept.library)), swept.library[:13], str(NOBODYS)[:13]
    preview, thumbnail = a_proxy_path(config, number=1), a_proxy_path(config, number=2, name="thumbnail.jpg")
    leftover = a_proxy_path(config, number=3, name=".thumbnail.jpg.123-abc.tmp")
    of_nobody, lost = a_proxy_path(NOBODYS, number=4, name="preview.webp"), a_proxy_path(config, number=5)
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["Number", "What", "Path", "Bytes", "Modified", "Library"],
        ["1", "orphan-file", preview, "12345", "2023-11-14T22:13:20.000Z", mine],
        ["2", "orphan-file", thumbnail, "777", "2023-11-14T22:13:20.000Z", mine],
        ["3", "temporary-leftover", leftover, "5", "2023-11-14T22:13:20.000Z", mine],
        ["4", "orphan-file", of_nobody, "1000", "2023-11-14T22:13:20.000Z", nobodys],
        ["5", "missing-file", lost, "4321", "-", mine],
    ]
    assert result.stderr == (
        f"4 files (14.1 kB) could be deleted: anichron deletions start {swept.sweep} --all\n"
    )


def test_what_a_sweep_has_found_is_narrowed_by_what_is_wrong(swept: Swept) -> None:
    lost = swept.install.ok("sweeps", "orphans", swept.sweep, "--what", "missing-file")

    assert [line.split()[0] for line in lost.stdout.splitlines()] == ["Number", "5"]
    assert lost.stderr == "None of this could be deleted.\n"
    assert swept.found("--what", "temporary-leftover", "--what", "missing-file") == [
        ("3", "temporary-leftover", 5),
        ("5", "missing-file", 4_321),
    ]


def test_the_document_of_findings_has_the_names_of_the_web_api(swept: Swept) -> None:
    document = swept.install.json("sweeps", "orphans", swept.sweep, "--what", "missing-file")

    assert document == {
        "partial": False,
        "items": [
            {
                "id": "5",
                "what": "missing-file",
                "path": a_proxy_path(StorageConfigId(UUID(swept.library)), number=5),
                "size": 4_321,
                "modifiedAt": None,
                "storageConfigId": swept.library,
            }
        ],
    }


def test_more_findings_than_a_page_are_all_told(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "PAGE", 2)
    sweep = ended(install, succeed, found=5)

    lines = install.ok("sweeps", "orphans", sweep).stdout.splitlines()

    assert [line.split()[0] for line in lines] == ["Number", "1", "2", "3", "4", "5"]
    assert [one["id"] for one in install.json("sweeps", "orphans", sweep)["items"]] == [
        "1",
        "2",
        "3",
        "4",
        "5",
    ]


def test_a_sweep_without_findings_says_so(install: Install) -> None:
    sweep = ended(install, succeed)

    listed, deleted = install.ok("sweeps", "orphans", sweep), install.ok("deletions", "start", sweep, "--all")

    assert (listed.stdout, listed.stderr) == ("", "Nothing was found.\nNo file could be deleted.\n")
    assert install.json("sweeps", "orphans", sweep) == {"partial": False, "items": []}
    assert (deleted.stdout, deleted.stderr) == (
        "",
        "The sweep has found no file that could be deleted: there is nothing to do.\n",
    )


def test_a_cancelled_sweep_says_that_it_is_partial(install: Install) -> None:
    sweep = ended(install, stop, found=1)

    result = install.ok("sweeps", "orphans", sweep)

    assert len(result.stdout.splitlines()) == 2
    assert result.stderr.startswith("The sweep was cancelled: this is what it had found until then.\n")
    assert install.json("sweeps", "orphans", sweep)["partial"] is True


@pytest.mark.parametrize("command", [["sweeps", "orphans"], ["deletions", "start", "--all", "--yes"]])
def test_findings_that_are_not_there_are_told_apart(install: Install, command: list[str]) -> None:
    failed = ended(install, fail, found=3)
    waiting = install.ok("sweeps", "start").stdout.strip()
    other = str(install.work(lambda stores: enqueued(stores.work(), a_new_item(kind="crawl"))))

    results = [install.run(*command, sweep) for sweep in (failed, waiting, other, "0192")]
    hint = f"('anichron items watch {waiting} --until-finished' waits for that)"

    assert [(result.exit_code, result.stdout, result.stderr) for result in results] == [
        (
            4,
            "",
            f"anichron: sweep {failed[:13]} has no findings: failed, proxies-unreadable: It cannot be read.\n",
        ),
        (
            4,
            "",
            f"anichron: sweep {waiting[:13]} is queued: what it finds can be read when it has finished {hint}\n",
        ),
        (3, "", f"anichron: {other[:13]} is no proxy sweep (crawl), or it is gone\n"),
        (3, "", "anichron: no work item has an id that begins with '0192'\n"),
    ]


def test_all_files_are_one_item_for_each_owner(swept: Swept) -> None:
    answer = swept.delete("--all", "--yes")

    assert answer.exit_code == 0, answer.output
    items = [swept.install.json("items", "show", id_) for id_ in answer.stdout.splitlines()]
    assert {(item["storageConfigId"], *item["payload"]["owners"]) for item in items} == {
        (swept.library, swept.library),
        (None, str(NOBODYS)),
    }


def test_chosen_files_are_deleted_and_no_others(swept: Swept, tmp_path: Path) -> None:
    chosen = tmp_path / "numbers"
    chosen.write_bytes(b"\xef\xbb\xbf# to go\r\n\r\n 1 # the large one\r\n3\r\n1\r\n")

    answer = swept.delete("--ids-file", str(chosen), "--yes", "--json")
    swept.worked()

    (item,) = json.loads(answer.stdout)["items"]
    assert item["waitReason"] == "no-worker"
    shown = swept.install.ok("items", "show", item["id"]).stdout
    assert "deleted 2, deleted size 12.3 kB" in shown
    assert (item["kind"], item["storageConfigId"], item["requestedBy"]) == (
        "proxy-deletion",
        swept.library,
        None,
    )
    assert swept.files() == {"thumbnail.jpg", "preview.webp"}


def test_numbers_come_from_standard_input_too(swept: Swept) -> None:
    answer = swept.delete("--ids-file", "-", "--yes", typed="2\n4\n")

    payloads = [swept.install.json("items", "show", id_)["payload"] for id_ in answer.stdout.splitlines()]
    assert sorted(payload["findings"] for payload in payloads) == [[2], [4]]


@pytest.mark.parametrize(
    ("options", "question"),
    [
        (["--all"], "Delete 4 files (14.1 kB) that sweep"),
        (["--ids-file", "-"], "Delete 1 file (777 bytes) that sweep"),
    ],
)
def test_nothing_is_deleted_where_nobody_can_be_asked(
    swept: Swept, options: list[str], question: str
) -> None:
    answer = swept.delete(*options, typed="2")

    assert (answer.exit_code, answer.stdout) == (2, "")
    assert question in answer.stderr
    assert "confirm with --yes" in answer.stderr
    assert deletions(swept) == []


@pytest.mark.parametrize(("typed", "items"), [("n\n", 0), ("y\n", 2)])
def test_whoever_is_at_a_terminal_is_asked(
    swept: Swept, monkeypatch: pytest.MonkeyPatch, typed: str, items: int
) -> None:
    monkeypatch.setattr(asking, "at_terminal", lambda: True)

    answer = swept.delete("--all", typed=typed)

    assert answer.exit_code == 0
    assert f"Delete 4 files (14.1 kB) that sweep {swept.sweep[:13]} has found? [y/N]: " in answer.stderr
    assert len(answer.stdout.splitlines()) == items == len(deletions(swept))
    assert ("Nothing was deleted." in answer.stderr) is (items == 0)


@pytest.mark.parametrize(
    ("typed", "code", "complaint"),
    [
        ("", 2, "--ids-file: there is no number in it."),
        ("# 1\n\n", 2, "--ids-file: there is no number in it."),
        ("1\n2 3\n", 2, "--ids-file: line 2: '2 3' is no number of a finding."),
        ("0\n", 2, "--ids-file: line 1: '0' is no number of a finding."),
        ("-1\n", 2, "--ids-file: line 1: '-1' is no number of a finding."),
        ("9" * 16, 2, "is no number of a finding."),
        ("1\n6\n9\n", 3, "anichron: the sweep has found nothing that has the number 6, 9\n"),
        ("6\n7\n8\n9\n", 3, "the number 6, 7, 8 and 1 more\n"),
        (
            "1\n5\n",
            4,
            (
                "anichron: nothing was deleted, for a missing file has the number 5: "
                "'anichron crawl CONFIG --verify' makes it again\n"
            ),
        ),
        ("\n".join(map(str, range(1, 10_002))), 4, "anichron: --ids-file chooses more than 10,000 findings:"),
    ],
)
def test_a_wrong_choice_deletes_nothing(swept: Swept, typed: str, code: int, complaint: str) -> None:
    answer = swept.delete("--ids-file", "-", "--yes", typed=typed)

    assert (answer.exit_code, answer.stdout) == (code, "")
    assert complaint in answer.stderr
    assert len(answer.stderr.splitlines()) == 1
    assert deletions(swept) == []


@pytest.mark.parametrize(("options", "end"), [([], "."), (["--all", "--ids-file", "-"], ", not both.")])
def test_it_must_be_said_which_files(swept: Swept, options: list[str], end: str) -> None:
    answer = swept.delete("--yes", *options, typed="1")

    assert answer.exit_code == 2
    assert f"Say which files: either --ids-file FILE or --all{end}" in answer.stderr


@pytest.mark.parametrize(
    ("ends", "code"), [((succeed, succeed), 0), ((stop, succeed), 11), ((stop, fail), 10)]
)
def test_deletions_are_waited_for_and_the_worst_tells(
    swept: Swept, ends: tuple[Callable[[WorkItem], RunEnd], ...], code: int
) -> None:
    with worked_meanwhile(swept.install, *ends):
        answer = swept.delete("--all", "--yes", "--wait", "--json")

    last = {item["id"]: item["status"] for item in map(json.loads, answer.stdout.splitlines())}
    assert answer.exit_code == code
    assert len(last) == 2
    assert set(last.values()) <= {"succeeded", "cancelled", "failed"}


def test_it_is_said_once_that_no_worker_serves_deletions_that_are_waited_for(swept: Swept) -> None:
    deleting = swept.install.start("deletions", "start", swept.sweep, "--all", "--yes", "--wait")
    assert deleting.stderr is not None
    said = deleting.stderr.readline()

    for id_ in deletions(swept):
        swept.install.ok("items", "cancel", id_)

    out, rest = deleting.communicate(timeout=30)
    assert said == "No worker serves it: it waits until one is started ('anichron worker').\n"
    assert (deleting.returncode, rest) == (11, "")
    assert out.count("cancelled") == 2


def test_a_sweep_points_to_what_it_has_found(swept: Swept) -> None:
    shown = swept.install.ok("items", "show", swept.sweep)

    assert shown.stderr == f"What it has found: anichron sweeps orphans {swept.sweep}\n"
    assert "orphan files 3, orphan size 14.1 kB" in shown.stdout


def deletions(swept: Swept) -> list[str]:
    """The deletions that were asked for."""
    return [item["id"] for item in swept.install.json("items", "list", "--kind", "proxy-deletion")["items"]]
