import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from adapters.telemetry.journal import LogJournal
from adapters.telemetry.logs import set_up_logs
from adapters.telemetry.rate_limit import LIMITED_BY, RateLimit
from application.ports.errors import StoreUnavailable
from application.ports.journal import (
    AttemptClaimed,
    AttemptFault,
    AttemptFenced,
    AttemptFinished,
    AttemptRecovered,
    EndWord,
    Entry,
    FencedBy,
    HandlerLeftBehind,
    HandlerRaised,
    MachineFault,
    StrayReleased,
    WorkerArrived,
    WorkerLeaving,
    WorkerLeft,
    WorkScheduled,
)
from domain.ids import Attempt, DedupKey, KindName, UserId, WorkerName, WorkItemId
from domain.presence import WorkerPresence
from domain.scope import AllScopes, UserScope
from domain.work_item import Status
from tests.support.ids import nth_id

ITEM = WorkItemId(nth_id(1))
CRAWL = KindName("crawl")
SECOND = Attempt(2)
ADA = WorkerName("ada@nas-1#7-abcdef")
OF_ATTEMPT = {"itemId": str(ITEM), "kind": "crawl", "attempt": 2}


class Log:
    """What was written so far."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    def set_up(self, *, level: str = "info", as_json: bool | None = None) -> None:
        set_up_logs(level=level, as_json=as_json, stream=self.stream)

    @property
    def lines(self) -> list[str]:
        return self.stream.getvalue().splitlines()

    @property
    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


@pytest.fixture
def log() -> Iterator[Log]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    log = Log()
    log.set_up()
    yield log
    structlog.reset_defaults()
    root.handlers[:] = before[0]
    root.setLevel(before[1])


def an_error() -> OSError:
    with pytest.raises(OSError, match="secret") as raised:
        Path("/photos/secret").read_bytes()
    return raised.value


def test_a_line_is_json_unless_it_is_for_a_terminal(log: Log) -> None:
    structlog.get_logger().info("claimed", kind="crawl")

    (entry,) = log.entries
    assert list(entry) == ["timestamp", "level", "event", "kind"]
    assert entry["timestamp"].endswith("Z")
    assert (entry["level"], entry["event"], entry["kind"]) == ("info", "claimed", "crawl")


def test_a_line_for_a_terminal_is_text(log: Log) -> None:
    log.set_up(as_json=False)

    structlog.get_logger().info("claimed", kind="crawl")

    assert "claimed" in log.lines[0]
    assert not log.lines[0].startswith("{")


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize(
    "evil", ["a\nb", "a\rb", "a\x1b[31mb", "a\u2028b", "a\u202eb", "a\0b", "a\x85b", "a\ud800b", "a\vb\fc"]
)
def test_no_value_can_make_a_second_line_or_colour_one(log: Log, evil: str, *, as_json: bool) -> None:
    log.set_up(as_json=as_json)
    structlog.get_logger().info("plain")
    plain = log.stream.getvalue().count("\x1b")

    structlog.get_logger().info(evil, note=evil, parts=[evil, {evil: evil}], **{evil: evil})
    logging.getLogger("library").warning("%s", evil)

    assert len(log.lines) == 3
    for character in "\r\u2028\u202e\0\x85\ud800\v\f":
        assert character not in log.stream.getvalue()
    if as_json:
        assert "\x1b" not in log.stream.getvalue()
    else:
        assert "\x1b[31mb" not in log.stream.getvalue()
        assert plain > 0


def test_a_value_of_ten_megabytes_is_cut(log: Log) -> None:
    structlog.get_logger().info("big", note="x" * 10_000_000)

    assert len(log.entries[0]["note"]) == 4_000


def test_lines_of_libraries_go_the_same_way(log: Log) -> None:
    logging.getLogger("sqlalchemy.pool").warning("gone: %s", 5)

    entry = log.entries[0]
    assert (entry["event"], entry["level"], entry["logger"]) == ("gone: 5", "warning", "sqlalchemy.pool")


def test_what_is_below_the_level_is_not_written(log: Log) -> None:
    structlog.get_logger().debug("detail")
    logging.getLogger("library").debug("detail")
    log.set_up(level="error")
    structlog.get_logger().warning("so so")
    logging.getLogger("library").warning("so so")

    assert log.lines == []


def test_an_exception_tells_where_it_came_from_and_not_what_it_says(log: Log) -> None:
    structlog.get_logger().error("broken", exc_info=an_error())
    logging.getLogger("library").error("broken", exc_info=an_error())

    for entry in log.entries:
        assert entry["errorType"] == "FileNotFoundError"
        assert entry["frames"][0] == "FileNotFoundError:"
        assert entry["frames"][1].endswith(" in an_error")
    assert "secret" not in log.stream.getvalue()


def test_at_debug_an_exception_tells_everything(log: Log) -> None:
    log.set_up(level="debug")

    structlog.get_logger().error("broken", exc_info=an_error())

    assert "No such file or directory: '/photos/secret'" in log.entries[0]["exception"]
    assert len(log.lines) == 1


def test_no_line_of_a_trace_on_a_terminal_looks_like_an_event(log: Log) -> None:
    log.set_up(level="debug", as_json=False)

    structlog.get_logger().error("broken", exc_info=OSError("x\n2025-03-01T00:00:00Z [info] claimed"))

    first, *others = log.lines
    assert "broken" in first
    assert others
    assert all(line.startswith("    | ") for line in others)


def test_of_alike_lines_one_in_ten_seconds_is_shown_and_says_how_many_were_not() -> None:
    now = 0.0
    limit = RateLimit(monotonic=lambda: now)

    def shown(alike: str | None) -> object:
        event = {"event": "machine fault"} | ({} if alike is None else {LIMITED_BY: alike})
        try:
            return limit(None, "warning", event)
        except structlog.DropEvent:
            return "dropped"

    plain = {"event": "machine fault"}
    assert [shown("claim") for _ in range(3)] == [plain, "dropped", "dropped"]
    assert shown("recovery") == plain
    assert [shown(None) for _ in range(2)] == [plain, plain]
    now = 9.9
    assert shown("claim") == "dropped"
    now = 10.0
    assert shown("claim") == plain | {"suppressed": 3}
    now = 20.0
    assert shown("claim") == plain


@pytest.mark.parametrize(
    ("entry", "level", "told"),
    [
        (AttemptClaimed(ITEM, CRAWL, SECOND), "info", {"event": "claimed", **OF_ATTEMPT}),
        (
            AttemptFinished(ITEM, CRAWL, SECOND, how=EndWord.SUCCEEDED),
            "info",
            {"event": "finished", "how": "succeeded", **OF_ATTEMPT},
        ),
        (
            AttemptFinished(ITEM, CRAWL, SECOND, how=EndWord.FAILED, code="root-unreadable"),
            "warning",
            {"event": "finished", "how": "failed", "errorCode": "root-unreadable", **OF_ATTEMPT},
        ),
        (
            AttemptFenced(ITEM, CRAWL, SECOND, by=FencedBy.WATCHDOG),
            "warning",
            {"event": "fenced", "by": "watchdog", **OF_ATTEMPT},
        ),
        (
            AttemptRecovered(ITEM, CRAWL, SECOND, status=Status.QUEUED),
            "warning",
            {"event": "recovered", "status": "queued", **OF_ATTEMPT},
        ),
        (HandlerLeftBehind(ITEM, CRAWL, SECOND), "error", {"event": "handler left behind", **OF_ATTEMPT}),
        (
            AttemptFault(ITEM, CRAWL, SECOND, part="heartbeat", error=StoreUnavailable("no answer")),
            "warning",
            {"event": "machine fault", "part": "heartbeat", "reason": "no answer", **OF_ATTEMPT},
        ),
        (
            MachineFault("claim", StoreUnavailable("no answer")),
            "warning",
            {"event": "machine fault", "part": "claim", "reason": "no answer"},
        ),
        (
            StrayReleased(ITEM, SECOND),
            "warning",
            {"event": "released a claim whose answer was lost", "itemId": str(ITEM), "attempt": 2},
        ),
        (
            WorkScheduled(ITEM, CRAWL, DedupKey("crawl:7")),
            "info",
            {"event": "scheduled", "itemId": str(ITEM), "kind": "crawl", "dedupKey": "crawl:7"},
        ),
        (
            WorkerArrived(WorkerPresence(ADA, AllScopes(), "1.2", 3)),
            "info",
            {"event": "worker arrived", "worker": ADA, "user": "all", "version": "1.2", "slots": 3},
        ),
        (
            WorkerArrived(WorkerPresence(ADA, UserScope(UserId(nth_id(9))), "1.2", 1)),
            "info",
            {"event": "worker arrived", "worker": ADA, "user": str(nth_id(9)), "version": "1.2", "slots": 1},
        ),
        (WorkerLeaving(ADA, 2), "info", {"event": "worker leaving", "worker": ADA, "running": 2}),
        (WorkerLeft(ADA, 0), "info", {"event": "worker left", "worker": ADA, "running": 0}),
    ],
)
def test_every_entry_of_the_journal_is_a_line(
    log: Log, entry: Entry, level: str, told: dict[str, Any]
) -> None:
    LogJournal().record(entry)

    (line,) = log.entries
    del line["timestamp"]
    assert line == {"level": level, **told}


def test_a_handlers_exception_is_told_without_its_text(log: Log) -> None:
    LogJournal().record(HandlerRaised(ITEM, CRAWL, SECOND, error=an_error()))

    (line,) = log.entries
    assert line["event"] == "handler raised"
    assert line["errorType"] == "FileNotFoundError"
    assert OF_ATTEMPT.items() <= line.items()
    assert "secret" not in log.stream.getvalue()


def test_a_flood_of_faults_is_one_line_and_ends_of_items_are_all_told(log: Log) -> None:
    journal = LogJournal()

    for _ in range(100):
        journal.record(MachineFault("claim", StoreUnavailable("no answer")))
        journal.record(AttemptClaimed(ITEM, CRAWL, SECOND))

    assert [entry["event"] for entry in log.entries].count("machine fault") == 1
    assert [entry["event"] for entry in log.entries].count("claimed") == 100


def test_a_log_that_cannot_be_written_stops_no_work(log: Log) -> None:
    journal = LogJournal()
    log.stream.close()

    journal.record(AttemptClaimed(ITEM, CRAWL, SECOND))
