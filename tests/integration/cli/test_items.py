"""`anichron items`: what there is, one item, and cancelling."""

import pytest

from domain.ids import WorkerName, WorkItemId
from domain.presence import WorkerPresence
from domain.progress import Progress
from domain.scope import AllScopes
from domain.work_item import WorkItem
from entrypoints.wiring.stores import Stores
from tests.support.builders import a_heartbeat, a_new_item, a_stop, a_success, claimed, enqueued
from tests.support.command_line import Install
from tests.support.ids import nth_id

FIELDS = {
    "id", "revision", "kind", "status", "storageConfigId", "requestedBy", "requestedAt", "runAfter",
    "startedAt", "finishedAt", "updatedAt", "leaseUntil", "cancelRequestedAt", "claimedBy", "attempt",
    "stalls", "retries", "stallLimit", "maxRetries", "progress", "result", "partial", "error", "errorCode",
    "waitReason", "cancellable",
}  # fmt: skip


def waiting(install: Install, *, kind: str = "token-cleanup", id: WorkItemId | None = None) -> str:  # noqa: A002
    """The id of an item that waits."""
    return str(install.work(lambda stores: enqueued(stores.work(), a_new_item(kind=kind, id=id))))


def running(install: Install, *, progress: Progress | None = None) -> WorkItem:
    """An item that runs; its worker told this progress."""
    waiting(install)

    async def claim(stores: Stores) -> WorkItem:
        item = await claimed(stores.work())
        await stores.work().heartbeat(item.id, a_heartbeat(item.attempt, progress=progress))
        return item

    return install.work(claim)


def succeeded(install: Install) -> str:
    """The id of an item that has succeeded."""

    async def finish(stores: Stores) -> str:
        id_ = await enqueued(stores.work())
        item = await claimed(stores.work())
        await stores.work().finish(id_, a_success(item.attempt, result='{"deleted":1234,"kept":0}'))
        return str(id_)

    return install.work(finish)


def test_a_list_is_one_line_an_item_newest_change_first(install: Install) -> None:
    old = succeeded(install)
    new = waiting(install, kind="crawl")

    result = install.ok("items", "list")

    head, first, second = result.stdout.splitlines()
    assert head.split() == [
        "Id",
        "Kind",
        "Status",
        "Progress",
        "or",
        "outcome",
        "Requested",
        "Took",
        "Attempt",
        "Worker",
    ]
    assert first.split()[1:3] == ["crawl", "queued"]
    assert new.startswith(first.split()[0])
    assert second.split()[1:5] == ["token-cleanup", "succeeded", "deleted", "1,234"]
    assert old.startswith(second.split()[0])
    assert result.stderr == ""


def test_an_empty_list_says_so_on_stderr_alone(install: Install) -> None:
    nothing = install.ok("items", "list")
    no_match = install.ok("items", "list", "--status", "failed")

    assert (nothing.stdout, no_match.stdout) == ("", "")
    assert nothing.stderr.startswith("Nothing has run yet.")
    assert no_match.stderr == "No item matches this filter.\n"


def test_a_kind_that_nobody_has_heard_of_is_doubted_only_where_nothing_has_it(install: Install) -> None:
    waiting(install, kind="of-another-version")

    found = install.ok("items", "list", "--kind", "of-another-version")
    typo, both = (
        install.ok("items", "list", "--kind", "crawls"),
        install.ok("items", "list", "--kind", "a", "--kind", "b"),
    )
    as_json = install.ok("items", "list", "--kind", "crawls", "--json")

    kinds = "token-cleanup, work-item-retention, crawl, proxy-sweep, proxy-deletion"
    assert found.stderr == ""
    assert typo.stderr == f"No item matches this filter.\nThis version knows no kind 'crawls', but {kinds}.\n"
    assert f"knows no kind 'a' and no 'b', but {kinds}.\n" in both.stderr
    assert as_json.stderr == f"This version knows no kind 'crawls', but {kinds}.\n"


def test_the_document_of_a_list_has_the_names_of_the_web_api(install: Install) -> None:
    id_ = waiting(install)

    document = install.json("items", "list")

    assert document.keys() == {"items", "nextCursor", "eventCursor", "serverTime"}
    assert document["nextCursor"] is None
    (item,) = document["items"]
    assert item.keys() == FIELDS
    assert item["id"] == id_
    assert item["status"] == "queued"
    assert item["stallLimit"] == 3
    assert item["cancellable"] is True


def test_pages_follow_one_another_without_gap_or_repetition(install: Install) -> None:
    ids = [waiting(install) for _ in range(5)]

    first = install.json("items", "list", "--limit", "2")
    second = install.json("items", "list", "--limit", "2", "--cursor", first["nextCursor"])
    third = install.json("items", "list", "--limit", "2", "--cursor", second["nextCursor"])

    assert [item["id"] for page in (first, second, third) for item in page["items"]] == ids[::-1]
    assert third["nextCursor"] is None
    assert f"--cursor {first['nextCursor']}" in install.ok("items", "list", "--limit", "2").stderr


def test_a_list_is_narrowed_by_status_and_kind_each_given_several_times(install: Install) -> None:
    succeeded(install)
    waiting(install, kind="crawl")
    waiting(install, kind="unheard-of")

    def listed(*options: str) -> list[str]:
        return [item["kind"] for item in install.json("items", "list", *options)["items"]]

    assert listed("--status", "queued") == ["unheard-of", "crawl"]
    assert listed("--status", "queued", "--status", "succeeded") == ["unheard-of", "crawl", "token-cleanup"]
    assert listed("--kind", "unheard-of", "--kind", "token-cleanup") == ["unheard-of", "token-cleanup"]
    assert listed("--kind", "crawl", "--status", "succeeded") == []


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            ["--status", "done"],
            "'done' is not one of 'queued', 'running', 'succeeded', 'failed', 'cancelled'",
        ),
        (["--limit", "0"], "0 is not in the range 1<=x<=200"),
        (["--limit", "201"], "201 is not in the range 1<=x<=200"),
        (["--cursor", "garbage"], "it is none, or of a list with another filter"),
    ],
)
def test_a_wrong_option_is_one_line_and_code_2(install: Install, options: list[str], complaint: str) -> None:
    result = install.run("items", "list", *options)

    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert complaint in line
    assert line.startswith("anichron items list: ")


def test_an_item_is_shown_by_the_beginning_of_its_id(install: Install) -> None:
    id_ = succeeded(install)

    result = install.ok("items", "show", id_[:18])

    facts = dict(line.split(maxsplit=1) for line in result.stdout.splitlines() if len(line.split()) > 1)
    assert facts["Id"] == id_
    assert facts["Status"] == "succeeded"
    assert facts["Outcome"] == "deleted 1,234"
    assert "worker-ada" in facts["1"]


def test_it_is_told_who_asked_for_an_item(install: Install) -> None:
    install.ada()
    id_ = install.library(install.data.parent / "photos")
    by_ada = install.ok("crawl", id_).stdout.strip()
    by_nobody = install.ok("sweeps", "start").stdout.strip()

    def asker(item: str) -> str:
        shown = install.ok("items", "show", item).stdout.splitlines()
        return next(line.removeprefix("Requested by").strip() for line in shown if "Requested by" in line)

    assert asker(by_ada) == "ada"
    assert asker(by_nobody) == "no account (the schedule, or somebody at the command line)"


def test_the_document_of_an_item_adds_its_payload_and_attempts(install: Install) -> None:
    id_ = succeeded(install)

    document = install.json("items", "show", id_)

    assert document.keys() == FIELDS | {"payload", "attempts"}
    assert document["payload"] == {}
    assert document["result"] == {"deleted": 1234, "kept": 0}
    (attempt,) = document["attempts"]
    assert (attempt["attempt"], attempt["how"], attempt["claimedBy"]) == (1, "succeeded", "worker-ada")


def test_it_is_told_why_an_item_waits(install: Install) -> None:
    first = waiting(install, kind="crawl")

    def told(id_: str) -> tuple[str | None, str | None, list[str]]:
        """What the documents say, and the words."""
        listed = {item["id"]: item["waitReason"] for item in install.json("items", "list")["items"]}
        shown = install.ok("items", "show", id_).stdout.splitlines()
        words = [line.removeprefix("Waits").strip() for line in shown if line.startswith("Waits")]
        return listed[id_], install.json("items", "show", id_)["waitReason"], words

    alone = told(first)
    presence = WorkerPresence(WorkerName("all@nas#1"), AllScopes(), "0.1.0", 1)
    install.work(lambda stores: stores.presences().seen(presence))
    second = waiting(install, kind="crawl")

    assert alone == (
        "no-worker",
        "no-worker",
        ["No worker serves it: it waits until one is started ('anichron worker')."],
    )
    assert told(first) == ("next", "next", ["It is next."])
    assert told(second) == ("behind", "behind", ["Others are before it."])
    install.ok("items", "cancel", second)
    assert told(second) == (None, None, [])


@pytest.mark.parametrize("command", ["show", "cancel", "watch"])
def test_an_item_that_is_not_there_is_code_3(install: Install, command: str) -> None:
    result = install.run("items", command, "0192f3c8")

    assert result.exit_code == 3
    assert result.stderr == "anichron: no work item has an id that begins with '0192f3c8'\n"


def test_an_id_that_is_not_unique_names_some_that_begin_so(install: Install) -> None:
    one = waiting(install, id=WorkItemId(nth_id(0xAAA1)))
    two = waiting(install, id=WorkItemId(nth_id(0xAAA2)))

    result = install.run("items", "show", "0000")

    assert result.exit_code == 2
    assert (
        result.stderr
        == f"anichron: '0000' begins more than one id, such as {one} and {two}: type more of it\n"
    )


def test_a_table_shows_enough_of_each_id_to_tell_it_from_the_others(install: Install) -> None:
    one = waiting(install, id=WorkItemId(nth_id((0xAAA << 32) + 1)))
    two = waiting(install, id=WorkItemId(nth_id((0xAAA << 32) + 2)))

    shown = [line.split()[0] for line in install.ok("items", "list").stdout.splitlines()[1:]]

    assert sorted(shown) == [one[: len(shown[0])], two[: len(shown[0])]]
    assert install.json("items", "show", shown[0])["id"] in {one, two}


def test_a_waiting_item_is_cancelled_at_once(install: Install) -> None:
    id_ = waiting(install)

    result = install.ok("items", "cancel", id_)

    assert result.stdout == "cancelled\n"
    assert install.json("items", "show", id_)["status"] == "cancelled"


def test_a_running_item_is_asked_to_stop(install: Install) -> None:
    item = running(install)

    assert install.ok("items", "cancel", str(item.id)).stdout == "asked to stop\n"
    assert install.ok("items", "cancel", str(item.id)).stdout == "asked to stop\n"
    document = install.json("items", "cancel", str(item.id))
    assert document["status"] == "running"
    assert document["cancelRequestedAt"] is not None


def test_a_finished_item_is_code_4_and_stays_as_it_is(install: Install) -> None:
    id_ = succeeded(install)

    result = install.run("items", "cancel", id_)

    assert result.exit_code == 4
    assert result.stderr == "anichron: too late: it is succeeded already, so nothing was cancelled\n"
    assert install.json("items", "show", id_)["status"] == "succeeded"


def test_a_cancel_can_wait_until_the_work_has_really_stopped(install: Install) -> None:
    item = running(install)
    cancel = install.start("items", "cancel", str(item.id), "--wait")
    assert cancel.stderr is not None
    assert cancel.stderr.readline() == "It was asked to stop; waiting for its worker.\n"

    install.work(lambda stores: stores.work().finish(item.id, a_stop(item.attempt)))

    out, _ = cancel.communicate(timeout=30)
    assert (cancel.returncode, out) == (0, "cancelled, partial\n")


def test_a_cancel_that_waited_in_vain_is_code_4(install: Install) -> None:
    item = running(install)
    cancel = install.start("items", "cancel", str(item.id), "--wait")
    assert cancel.stderr is not None
    cancel.stderr.readline()

    install.work(lambda stores: stores.work().finish(item.id, a_success(item.attempt)))

    _, err = cancel.communicate(timeout=30)
    assert cancel.returncode == 4
    assert err == "anichron: too late: it succeeded before it could stop\n"


def test_what_rows_hold_cannot_colour_or_break_the_table(install: Install) -> None:
    waiting(install, kind="evil\x1b[31m[red]kind")

    result = install.ok("items", "list")

    assert "\x1b" not in result.stdout
    assert "evil\ufffd[31m[red]kind" in result.stdout
    assert len(result.stdout.splitlines()) == 2


def test_the_progress_of_a_running_item_is_told_in_words(install: Install) -> None:
    running(install, progress=Progress(1204, 3900, "12 failed"))

    assert "1,204 of 3,900 · 30 % · 12 failed" in install.ok("items", "list").stdout


def test_a_letter_that_the_output_cannot_show_is_spelled_out(install: Install) -> None:
    waiting(install, kind="\u0142ad")
    install.set(PYTHONIOENCODING="iso8859-1")

    result = install.process("items", "list")

    assert result.returncode == 0, result.stderr
    assert "\\u0142ad" in result.stdout
