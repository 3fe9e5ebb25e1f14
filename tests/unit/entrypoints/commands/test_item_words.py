"""Work items in words."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.events import (
    Claim,
    Event,
    ExpireLease,
    Fail,
    Moment,
    Release,
    RequestCancel,
    Retry,
    Stop,
    Succeed,
)
from domain.failure import Failure
from domain.ids import Attempt, JsonText, KindName, WorkerName, WorkItemId
from domain.lifecycle import advance
from domain.moves import Moved
from domain.outlook import WaitReason
from domain.progress import Progress
from domain.work_item import NewWorkItem, WorkItem
from entrypoints.commands.item_words import (
    ago,
    id_length,
    line,
    numbers,
    outcome,
    progress_words,
    span,
    status_word,
    waiting_words,
)
from tests.support.ids import nth_id

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
FIRST = Attempt(1)
CLAIM = Claim(WorkerName("ada"), timedelta(seconds=60))
FAILURE = Failure("root-unreadable", "It cannot be read.")


def an_item(*events: Event, twin: bool = False, kind: str = "crawl") -> WorkItem:
    """An item to which these have happened, an hour apart."""
    item = NewWorkItem(id=WorkItemId(nth_id(1)), kind=KindName(kind), payload=JsonText("{}")).queued_at(NOON)
    for hour, event in enumerate(events, start=1):
        moment = Moment(NOON + timedelta(hours=hour), WorkItemId(nth_id(2)) if twin else None)
        answer = advance(item, event, moment)
        assert isinstance(answer, Moved)
        item = answer.item
    return item


@pytest.mark.parametrize(
    ("events", "status", "words"),
    [
        ((), "queued", ""),
        ((CLAIM,), "running", ""),
        ((CLAIM, RequestCancel()), "stopping", ""),
        ((CLAIM, Succeed(FIRST, JsonText('{"found":2,"failed":0}'))), "succeeded", "found 2"),
        ((CLAIM, Succeed(FIRST, JsonText('{"deleted":0}'))), "succeeded", "nothing to do"),
        ((CLAIM, Fail(FIRST, FAILURE)), "failed", "root-unreadable: It cannot be read."),
        (
            (CLAIM, ExpireLease(stall_limit=1)),
            "failed, stalled",
            "stalled: Its lease ran out once; last held by ada.",
        ),
        ((CLAIM, ExpireLease(stall_limit=3)), "queued", "stalled once"),
        (
            (CLAIM, Retry(FIRST, FAILURE, timedelta(seconds=30))),
            "queued",
            "try 2 at 14:00:30 UTC · last error: root-unreadable: It cannot be read.",
        ),
        ((RequestCancel(),), "cancelled", "never started"),
        ((CLAIM, Retry(FIRST, FAILURE, timedelta(hours=2)), RequestCancel()), "cancelled", "not run again"),
        ((CLAIM, Release(FIRST), RequestCancel()), "cancelled", "not run again"),
        ((CLAIM, Stop(FIRST, JsonText('{"found":1}'))), "cancelled, partial", "found 1"),
        (
            (CLAIM, RequestCancel(), Fail(FIRST, FAILURE, Progress(5, 10, ""))),
            "cancelled",
            "root-unreadable: It cannot be read.",
        ),
    ],
)
def test_every_state_has_its_words(events: tuple[Event, ...], status: str, words: str) -> None:
    item = an_item(*events)

    assert (status_word(item), outcome(item)) == (status, words)


def test_a_kind_that_is_tried_again_says_how_often() -> None:
    item = an_item(CLAIM, Retry(FIRST, FAILURE, timedelta(seconds=30)), kind="proxy-deletion")

    assert outcome(item) == "try 2 of 6 at 14:00:30 UTC · last error: root-unreadable: It cannot be read."


def test_an_item_that_made_way_for_another_says_so() -> None:
    item = an_item(CLAIM, ExpireLease(stall_limit=3), twin=True)

    assert status_word(item) == "superseded"
    assert outcome(item).startswith("superseded: Another item with the same dedup key waits already")


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (Progress(), ""),
        (Progress(1204), "1,204 so far"),
        (Progress(1204, 3900, "12 failed"), "1,204 of 3,900 · 30 % · 12 failed"),
        (Progress(3899, 3900), "3,899 of 3,900 · 99 %"),
        (Progress(0, 0), "0 of 0"),
        (Progress(note="looking"), "looking"),
    ],
)
def test_progress_is_told_as_far_as_it_is_known(progress: Progress, words: str) -> None:
    assert progress_words(progress) == words


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (
            '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10}',
            "a 1, b 2, c 3, d 4, e 5, f 6, g 7, h 8, i 9",
        ),
        (
            '{"orphanFiles":1234,"orphanBytes":12345678,"leftoverBytes":0,"bytes":7}',
            "orphan files 1,234, orphan size 12.3 MB, bytes 7",
        ),
        (
            '{"kept":3,"keptByReason":{"known":2,"too-young":1,"not-a-file":0},"gone":1,"goneByReason":{}}',
            "kept 3 (known 2, too-young 1), gone 1",
        ),
        ('{"kept":0,"keptByReason":{"known":0},"failed":1,"failedByReason":"odd"}', "failed 1"),
        ('{"done":true,"by":{"x":1},"text":"y","n":7}', "n 7"),
        ("[1,2]", ""),
        ("{}", "nothing to do"),
    ],
)
def test_a_result_is_told_by_its_counts(result: str, words: str) -> None:
    assert numbers(JsonText(result)) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "0 s"),
        (0.4, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (243, "4 min 3 s"),
        (3600, "1 h"),
        (3659, "1 h"),
        (7260, "2 h 1 min"),
        (90_000, "1 d 1 h"),
    ],
)
def test_a_length_of_time_is_told_in_its_two_largest_units(seconds: float, words: str) -> None:
    assert span(timedelta(seconds=seconds)) == words


def test_how_long_ago_is_told_in_one() -> None:
    assert ago(NOON - timedelta(seconds=243), NOON) == "4 min ago"
    assert ago(None, NOON) == ""


@pytest.mark.parametrize(
    ("ids", "length"),
    [
        ([], 13),
        ([nth_id(1)], 13),
        ([nth_id(0x1_0000), nth_id(0x2_0000)], 13),
        ([nth_id(1), nth_id(2)], 13),
    ],
)
def test_ids_are_shortened_to_what_tells_them_apart(ids: list[WorkItemId], length: int) -> None:
    assert id_length(ids) == length


def test_ids_of_one_millisecond_are_shown_further() -> None:
    one, two = nth_id(1), nth_id(1).int + (1 << 64)

    assert id_length([WorkItemId(one), WorkItemId(type(one)(int=two))]) == 18


def test_a_line_leaves_out_what_there_is_not() -> None:
    assert line(an_item()) == "00000000-0001  crawl  queued"
    assert line(an_item(CLAIM, Fail(FIRST, Failure("odd", "one\n\x1b[31mtwo\u2028three")))) == (
        "00000000-0001  crawl  failed  odd: one \ufffd[31mtwo\ufffdthree"
    )
    assert line(an_item(CLAIM, Fail(FIRST, FAILURE))) == (
        "00000000-0001  crawl  failed  root-unreadable: It cannot be read."
    )


def test_every_reason_to_wait_has_words_of_its_own() -> None:
    words = {waiting_words(reason) for reason in WaitReason}

    assert len(words) == 4
    assert waiting_words(WaitReason.RETRY_AT) == "It is tried again when it is ready."
    assert waiting_words(None) == ""
