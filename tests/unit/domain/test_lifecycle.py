"""Every pair of status and event, with what comes of it written out (S-2, S-3)."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest

from domain.events import Claim, Event, ExpireLease, FencedEvent, Moment, RequestCancel, TakeOver
from domain.ids import Attempt, JsonText
from domain.lease import Lease
from domain.lifecycle import TRANSITIONS, advance, sources
from domain.moves import Moved
from domain.outcomes import Fenced, Refused
from domain.progress import NO_PROGRESS
from domain.work_item import Cancelled, Failed, LastRun, Queued, Running, State, Status, Succeeded, WorkItem
from tests.support.builders import (
    ADA,
    LEASE,
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

NOW: Final = START + LEASE
MINE: Final = Attempt(3)
RUN: Final = LastRun(claimed_by=ADA, started_at=START, progress=NO_PROGRESS)

STATES: Final[dict[Status, State]] = {
    Status.QUEUED: Queued(),
    Status.RUNNING: Running(lease=Lease(ADA, START + LEASE), started_at=START),
    Status.SUCCEEDED: Succeeded(finished_at=START, run=RUN, result=JsonText("{}")),
    Status.FAILED: Failed(finished_at=START, run=RUN, failure=a_reason()),
    Status.CANCELLED: Cancelled(finished_at=START, run=RUN, cancel_requested_at=START),
}

EVENTS: Final[dict[str, Event]] = {
    "claim": Claim(holder=ADA, lease_for=LEASE),
    "request cancel": RequestCancel(),
    "take over": TakeOver(requested_at=START, stalls=1),
    "heartbeat": a_heartbeat(MINE),
    "succeed": a_success(MINE),
    "fail": a_failure(MINE),
    "retry": a_retry(MINE),
    "stop": a_stop(MINE),
    "release": a_release(MINE),
    "expire lease": ExpireLease(stall_limit=3),
}

REFUSED, FENCED = "refused", "fenced"
COLUMNS: Final = (Status.QUEUED, Status.RUNNING, Status.SUCCEEDED, Status.FAILED, Status.CANCELLED)
TABLE: Final[dict[str, tuple[str, str, str, str, str]]] = {
    #                  queued       running      succeeded failed   cancelled
    "claim":          ("running",   REFUSED,     REFUSED,  REFUSED, REFUSED),
    "request cancel": ("cancelled", "running",   REFUSED,  REFUSED, REFUSED),
    "take over":      ("queued",    REFUSED,     REFUSED,  REFUSED, REFUSED),
    "heartbeat":      (FENCED,      "running",   FENCED,   FENCED,  FENCED),
    "succeed":        (FENCED,      "succeeded", FENCED,   FENCED,  FENCED),
    "fail":           (FENCED,      "failed",    FENCED,   FENCED,  FENCED),
    "retry":          (FENCED,      "queued",    FENCED,   FENCED,  FENCED),
    "stop":           (FENCED,      "cancelled", FENCED,   FENCED,  FENCED),
    "release":        (FENCED,      "queued",    FENCED,   FENCED,  FENCED),
    "expire lease":   (REFUSED,     "queued",    REFUSED,  REFUSED, REFUSED),
}  # fmt: skip

PAIRS: Final = [
    (status, event, expected)
    for event, row in TABLE.items()
    for status, expected in zip(COLUMNS, row, strict=True)
]


@pytest.mark.parametrize(
    ("status", "event", "expected"), PAIRS, ids=[f"{status} and {event}" for status, event, _ in PAIRS]
)
def test_each_event_moves_each_status_as_the_table_says(status: Status, event: str, expected: str) -> None:
    item = an_item(status)

    outcome = advance(item, EVENTS[event], Moment(NOW))

    match outcome:
        case Moved(item=after):
            assert expected == after.status
            assert (after.revision, after.updated_at) == (8, NOW)
        case Fenced():
            assert expected == FENCED
        case Refused(status=told):
            assert (expected, told) == (REFUSED, status)


def test_the_table_knows_every_event_there_is() -> None:
    assert {type(event) for event in EVENTS.values()} == {event for _, event in TRANSITIONS}
    assert len(PAIRS) == 50


@pytest.mark.parametrize("status", list(Status))
@pytest.mark.parametrize("attempt", [0, 2, 4])
def test_no_other_attempt_is_heard_in_any_status(status: Status, attempt: int) -> None:
    fenced = [event for event in EVENTS.values() if isinstance(event, FencedEvent)]

    outcomes = [
        advance(an_item(status), replace(event, attempt=Attempt(attempt)), Moment(NOW)) for event in fenced
    ]

    assert outcomes == [Fenced()] * 6


def test_an_item_is_not_started_before_its_wait_is_over() -> None:
    waiting = replace(an_item(Status.QUEUED), state=Queued(run_after=NOW))
    claim = EVENTS["claim"]

    assert advance(waiting, claim, Moment(NOW - timedelta(microseconds=1))) == Refused(Status.QUEUED)
    assert isinstance(advance(waiting, claim, Moment(NOW)), Moved)


def test_a_lease_that_still_runs_cannot_expire() -> None:
    running = an_item(Status.RUNNING)
    expiry = EVENTS["expire lease"]

    assert advance(running, expiry, Moment(NOW - timedelta(microseconds=1))) == Refused(Status.RUNNING)
    assert isinstance(advance(running, expiry, Moment(NOW)), Moved)


def test_asking_a_second_time_to_stop_changes_nothing() -> None:
    running = an_item(Status.RUNNING)
    asked = advance(running, RequestCancel(), Moment(NOW))
    assert isinstance(asked, Moved)

    assert advance(asked.item, RequestCancel(), Moment(NOW + LEASE)) == Moved(asked.item)


def test_the_guards_of_the_stores_come_from_the_table() -> None:
    assert sources(Claim) == {Status.QUEUED}
    assert sources(RequestCancel) == {Status.QUEUED, Status.RUNNING}
    assert sources(ExpireLease) == {Status.RUNNING}
    assert sources(type(a_success(MINE))) == {Status.RUNNING}


def an_item(status: Status) -> WorkItem:
    """An item in this status, in its third attempt, with the dedup key `key`."""
    queued = a_new_item(dedup_key="key").queued_at(START)
    return replace(queued, attempt=MINE, revision=7, stalls=1, retries=1, state=STATES[status])
