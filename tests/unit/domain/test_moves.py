"""What each move makes of an item, written out."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest

from domain.attempt import AttemptEnd, EndedAttempt
from domain.events import Claim, Event, ExpireLease, Moment, RequestCancel, TakeOver
from domain.failure import Failure
from domain.ids import Attempt, JsonText, WorkItemId
from domain.lease import Lease
from domain.lifecycle import advance
from domain.moves import Moved
from domain.progress import Progress
from domain.work_item import (
    Cancelled,
    Failed,
    LastRun,
    PartialResult,
    Queued,
    Running,
    Status,
    Succeeded,
    WorkItem,
)
from tests.support.builders import (
    ADA,
    BOB,
    a_failure,
    a_heartbeat,
    a_new_item,
    a_reason,
    a_release,
    a_retry,
    a_stop,
    a_success,
)
from tests.support.clock import START
from tests.support.ids import nth_id

MINUTE: Final = timedelta(minutes=1)
HOUR: Final = timedelta(hours=1)
NOW: Final = START + HOUR
FIRST: Final = Attempt(1)
TWIN: Final = WorkItemId(nth_id(77))
HALF: Final = Progress(1, 2, "half")
FULL: Final = Progress(2, 2, "full")
RUN: Final = LastRun(claimed_by=ADA, started_at=START, progress=HALF)
SUPERSEDED: Final = Failure(
    "superseded",
    "Another item with the same dedup key waits already: 00000000-004d-7000-8000-000000000000.",
)

QUEUED: Final = a_new_item(dedup_key="key").queued_at(START)
RUNNING: Final = replace(
    QUEUED,
    attempt=FIRST,
    revision=2,
    state=Running(lease=Lease(ADA, START + MINUTE), started_at=START, progress=HALF),
)
ASKED: Final = replace(
    RUNNING,
    revision=3,
    state=Running(
        lease=Lease(ADA, START + MINUTE), started_at=START, progress=HALF, cancel_requested_at=START + MINUTE
    ),
)


def moved(item: WorkItem, event: Event, *, twin: WorkItemId | None = None) -> Moved:
    """What `event` makes of `item` at `NOW`."""
    outcome = advance(item, event, Moment(NOW, twin))
    assert isinstance(outcome, Moved)
    return outcome


def ended(how: AttemptEnd, failure: Failure | None = None) -> EndedAttempt:
    """The history of the first attempt, ended now."""
    return EndedAttempt(
        attempt=FIRST, claimed_by=ADA, started_at=START, ended_at=NOW, how=how, failure=failure
    )


def test_a_claim_begins_the_next_attempt_and_clears_the_last_error() -> None:
    item = replace(QUEUED, attempt=Attempt(4), state=Queued(run_after=START, last_failure=a_reason()))

    outcome = moved(item, Claim(holder=BOB, lease_for=MINUTE))

    state = Running(lease=Lease(BOB, NOW + MINUTE), started_at=NOW)
    assert outcome == Moved(replace(item, attempt=Attempt(5), revision=2, updated_at=NOW, state=state))


def test_a_waiting_item_is_cancelled_without_a_run() -> None:
    outcome = moved(QUEUED, RequestCancel())

    state = Cancelled(finished_at=NOW, run=None, cancel_requested_at=NOW)
    assert outcome == Moved(replace(QUEUED, revision=2, updated_at=NOW, state=state))


@pytest.mark.parametrize(
    ("stalls", "taken_over", "expected"), [(0, 2, 2), (2, 0, 2), (1, 1, 1)], ids=["more", "fewer", "equal"]
)
def test_the_larger_count_of_stalls_is_taken_over(stalls: int, taken_over: int, expected: int) -> None:
    item = replace(QUEUED, stalls=stalls, state=Queued(run_after=NOW))

    outcome = moved(item, TakeOver(requested_at=START - HOUR, stalls=taken_over))

    assert outcome.item == replace(
        item, requested_at=START - HOUR, stalls=expected, revision=2, updated_at=NOW
    )


def test_only_an_earlier_place_is_taken_over() -> None:
    outcome = moved(QUEUED, TakeOver(requested_at=START + HOUR, stalls=0))

    assert outcome.item.requested_at == START


def test_a_heartbeat_moves_the_end_of_the_lease() -> None:
    with_progress = moved(RUNNING, a_heartbeat(FIRST, progress=FULL, lease_for=MINUTE)).item
    without = moved(RUNNING, a_heartbeat(FIRST, lease_for=MINUTE)).item

    assert with_progress.state == Running(lease=Lease(ADA, NOW + MINUTE), started_at=START, progress=FULL)
    assert without.state == Running(lease=Lease(ADA, NOW + MINUTE), started_at=START, progress=HALF)


def test_success_keeps_its_result() -> None:
    outcome = moved(ASKED, a_success(FIRST, result='{"a":1}', progress=FULL))

    assert outcome.item.state == Succeeded(
        finished_at=NOW,
        run=replace(RUN, progress=FULL),
        result=JsonText('{"a":1}'),
        cancel_requested_at=START + MINUTE,
    )
    assert outcome.ended == ended(AttemptEnd.SUCCEEDED)


def test_failure_keeps_its_error() -> None:
    outcome = moved(RUNNING, a_failure(FIRST))

    assert outcome.item.state == Failed(finished_at=NOW, run=RUN, failure=a_reason())
    assert outcome.ended == ended(AttemptEnd.FAILED, a_reason())


def test_a_retry_waits() -> None:
    outcome = moved(RUNNING, a_retry(FIRST, code="busy", wait=MINUTE))

    state = Queued(run_after=NOW + MINUTE, last_failure=a_reason("busy"))
    assert outcome == Moved(
        replace(RUNNING, retries=1, revision=3, updated_at=NOW, state=state),
        ended(AttemptEnd.RETRIED, a_reason("busy")),
    )


def test_a_release_counts_nothing() -> None:
    outcome = moved(RUNNING, a_release(FIRST))

    assert outcome == Moved(
        replace(RUNNING, revision=3, updated_at=NOW, state=Queued()), ended(AttemptEnd.RELEASED)
    )


def test_a_stop_keeps_what_was_done() -> None:
    outcome = moved(ASKED, a_stop(FIRST, partial='{"a":1}'))

    assert outcome.item.state == Cancelled(
        finished_at=NOW,
        run=RUN,
        cancel_requested_at=START + MINUTE,
        left=PartialResult(JsonText('{"a":1}')),
    )
    assert outcome.ended == ended(AttemptEnd.CANCELLED)


def test_a_stall_is_counted() -> None:
    outcome = moved(RUNNING, ExpireLease(stall_limit=2))

    assert outcome == Moved(
        replace(RUNNING, stalls=1, revision=3, updated_at=NOW, state=Queued()), ended(AttemptEnd.STALLED)
    )


@pytest.mark.parametrize(
    ("stalls", "text"),
    [
        (0, "Its lease ran out once; last held by worker-ada."),
        (1, "Its lease ran out 2 times; last held by worker-ada."),
        (5, "Its lease ran out 6 times; last held by worker-ada."),
    ],
)
def test_an_item_fails_at_or_over_the_stall_limit(stalls: int, text: str) -> None:
    outcome = moved(replace(RUNNING, stalls=stalls), ExpireLease(stall_limit=1))

    failure = Failure("stalled", text)
    assert outcome.item.state == Failed(finished_at=NOW, run=RUN, failure=failure)
    assert outcome.item.stalls == stalls + 1
    assert outcome.ended == ended(AttemptEnd.STALLED, failure)


@pytest.mark.parametrize(
    ("event", "how", "failure"),
    [
        (a_failure(FIRST), AttemptEnd.CANCELLED, a_reason()),
        (a_retry(FIRST, code="busy"), AttemptEnd.CANCELLED, a_reason("busy")),
        (a_release(FIRST), AttemptEnd.CANCELLED, None),
        (ExpireLease(stall_limit=1), AttemptEnd.STALLED, None),
    ],
    ids=["failure", "retry", "release", "stall"],
)
@pytest.mark.parametrize("twin", [None, TWIN], ids=["alone", "with a twin"])
def test_what_was_asked_to_stop_ends_cancelled(
    event: Event, how: AttemptEnd, failure: Failure | None, twin: WorkItemId | None
) -> None:
    outcome = moved(ASKED, event, twin=twin)

    assert outcome.item.state == Cancelled(
        finished_at=NOW, run=RUN, cancel_requested_at=START + MINUTE, left=failure
    )
    assert outcome.ended == ended(how, failure)
    assert outcome.item.retries == 0
    assert outcome.inheritance is None


@pytest.mark.parametrize(
    ("event", "how", "failure", "stalls"),
    [
        (a_retry(FIRST, code="busy"), AttemptEnd.SUPERSEDED, a_reason("busy"), 1),
        (a_release(FIRST), AttemptEnd.SUPERSEDED, None, 1),
        (ExpireLease(stall_limit=3), AttemptEnd.STALLED, None, 2),
    ],
    ids=["retry", "release", "stall"],
)
def test_what_would_go_back_beside_its_twin_makes_way(
    event: Event, how: AttemptEnd, failure: Failure | None, stalls: int
) -> None:
    outcome = moved(replace(RUNNING, stalls=1), event, twin=TWIN)

    assert outcome.item.state == Cancelled(
        finished_at=NOW, run=RUN, cancel_requested_at=None, left=SUPERSEDED
    )
    assert outcome.item.stalls == stalls
    assert outcome.ended == ended(how, failure)
    assert outcome.inheritance == TakeOver(requested_at=START, stalls=stalls)


def test_what_fails_at_its_limit_leaves_its_twin_alone() -> None:
    outcome = moved(RUNNING, ExpireLease(stall_limit=1), twin=TWIN)

    assert outcome.item.status is Status.FAILED
    assert outcome.inheritance is None
