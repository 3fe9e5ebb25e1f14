"""The moves of the transition table: what becomes of an item, one pure function each."""

from dataclasses import dataclass, replace
from typing import TypedDict, Unpack

from domain.attempt import AttemptEnd, EndedAttempt
from domain.events import (
    Claim,
    ExpireLease,
    Fail,
    Heartbeat,
    Moment,
    Release,
    RequestCancel,
    Retry,
    Stop,
    Succeed,
    TakeOver,
)
from domain.failure import Failure, FailureCode
from domain.ids import Attempt
from domain.lease import Lease
from domain.outcomes import Refused
from domain.progress import Progress
from domain.work_item import (
    Cancelled,
    Failed,
    LastRun,
    PartialResult,
    Queued,
    Running,
    State,
    Succeeded,
    WorkItem,
)


@dataclass(frozen=True, slots=True)
class Moved:
    """The event applied. The store writes all of it in one step.

    `ended` is the attempt that it brought to an end. `inheritance` is what the waiting twin takes over.
    """

    item: WorkItem
    ended: EndedAttempt | None = None
    inheritance: TakeOver | None = None


class _Counts(TypedDict, total=False):
    attempt: Attempt
    stalls: int
    retries: int


def start(item: WorkItem, queued: Queued, event: Claim, moment: Moment) -> Moved | Refused:
    """Begin the next attempt, unless the item is not ready yet."""
    if queued.run_after is not None and queued.run_after > moment.now:
        return Refused(item.status)
    lease = Lease(holder=event.holder, until=moment.now + event.lease_for)
    running = Running(lease=lease, started_at=moment.now)
    return Moved(_in_state(item, running, moment, attempt=Attempt(item.attempt + 1)))


def cancel_waiting(item: WorkItem, _: Queued, __: RequestCancel, moment: Moment) -> Moved:
    """Cancel at once: it never starts."""
    cancelled = Cancelled(finished_at=moment.now, run=None, cancel_requested_at=moment.now)
    return Moved(_in_state(item, cancelled, moment))


def take_over(item: WorkItem, queued: Queued, event: TakeOver, moment: Moment) -> Moved:
    """Take the other one's place in the queue, and its stalls: a poison item cannot dodge its limit."""
    older = replace(item, requested_at=min(item.requested_at, event.requested_at))
    return Moved(_in_state(older, queued, moment, stalls=max(item.stalls, event.stalls)))


def extend_lease(item: WorkItem, running: Running, event: Heartbeat, moment: Moment) -> Moved:
    """Keep the item for another lease from now."""
    lease = replace(running.lease, until=moment.now + event.lease_for)
    progress = event.progress or running.progress
    return Moved(_in_state(item, replace(running, lease=lease, progress=progress), moment))


def ask_to_stop(item: WorkItem, running: Running, _: RequestCancel, moment: Moment) -> Moved:
    """Note the request, once: repeating it changes nothing."""
    if running.cancel_requested_at is not None:
        return Moved(item)
    return Moved(_in_state(item, replace(running, cancel_requested_at=moment.now), moment))


def succeed(item: WorkItem, running: Running, event: Succeed, moment: Moment) -> Moved:
    """Finish. A cancel request that came too late does not undo complete work."""
    succeeded = Succeeded(
        finished_at=moment.now,
        run=_last_run(running, event.progress),
        result=event.result,
        cancel_requested_at=running.cancel_requested_at,
    )
    return _ended(item, running, AttemptEnd.SUCCEEDED, moment, succeeded)


def fail(item: WorkItem, running: Running, event: Fail, moment: Moment) -> Moved:
    """Give up; after a cancel request the item counts as cancelled, with the error kept."""
    run = _last_run(running, event.progress)
    if running.cancel_requested_at is not None:
        return _cancelled(item, running, moment, run=run, left=event.failure)
    failed = Failed(finished_at=moment.now, run=run, failure=event.failure)
    return _ended(item, running, AttemptEnd.FAILED, moment, failed, failure=event.failure)


def cancel_running(item: WorkItem, running: Running, event: Stop, moment: Moment) -> Moved:
    """Finish as cancelled, with what was done so far."""
    run = _last_run(running, event.progress)
    # A handler stops only when it was asked to, so a request that this row has not seen yet is dated now.
    asked = replace(running, cancel_requested_at=running.cancel_requested_at or moment.now)
    return _cancelled(item, asked, moment, run=run, left=PartialResult(event.partial))


def requeue_later(item: WorkItem, running: Running, event: Retry, moment: Moment) -> Moved:
    """Try again after the wait. A retry is neither a stall nor a release."""
    if running.cancel_requested_at is not None:
        return _cancelled(item, running, moment, run=_last_run(running), left=event.failure)
    waiting = Queued(run_after=moment.now + event.wait, last_failure=event.failure)
    return _back(
        item, running, AttemptEnd.RETRIED, moment, waiting, failure=event.failure, retries=item.retries + 1
    )


def requeue(item: WorkItem, running: Running, _: Release, moment: Moment) -> Moved:
    """Hand back: no stall is counted and the item keeps its place."""
    if running.cancel_requested_at is not None:
        return _cancelled(item, running, moment, run=_last_run(running), left=None)
    return _back(item, running, AttemptEnd.RELEASED, moment, Queued())


def requeue_or_fail_stalled(
    item: WorkItem, running: Running, event: ExpireLease, moment: Moment
) -> Moved | Refused:
    """Count a stall: back to the queue, or failed at the limit; cancelled where that was asked for."""
    if not running.lease.expired(moment.now):
        return Refused(item.status)
    stalls = item.stalls + 1
    if running.cancel_requested_at is not None:
        cancelled = _cancelled_state(running, moment, run=_last_run(running), left=None)
        return _ended(item, running, AttemptEnd.STALLED, moment, cancelled, stalls=stalls)
    if stalls >= event.stall_limit:
        failure = stalled(stalls, running)
        failed = Failed(finished_at=moment.now, run=_last_run(running), failure=failure)
        return _ended(item, running, AttemptEnd.STALLED, moment, failed, failure=failure, stalls=stalls)
    return _back(item, running, AttemptEnd.STALLED, moment, Queued(), stalls=stalls)


def stalled(stalls: int, running: Running) -> Failure:
    """Says how often the lease ran out, and who held it last."""
    times = "once" if stalls == 1 else f"{stalls} times"
    return Failure(FailureCode.STALLED, f"Its lease ran out {times}; last held by {running.lease.holder}.")


def _back(  # noqa: PLR0913 -- the parts of one move
    item: WorkItem,
    running: Running,
    how: AttemptEnd,
    moment: Moment,
    waiting: Queued,
    *,
    failure: Failure | None = None,
    **counts: Unpack[_Counts],
) -> Moved:
    """Back to the queue, unless a twin waits there: then this one makes way for it."""
    if moment.twin is None:
        return _ended(item, running, how, moment, waiting, failure=failure, **counts)
    superseded = Failure(
        FailureCode.SUPERSEDED, f"Another item with the same dedup key waits already: {moment.twin}."
    )
    cancelled = _cancelled_state(running, moment, run=_last_run(running), left=superseded)
    # A stall stays a stall in the history: it alone says that the lease ran out.
    ended_how = how if how is AttemptEnd.STALLED else AttemptEnd.SUPERSEDED
    moved = _ended(item, running, ended_how, moment, cancelled, failure=failure, **counts)
    inheritance = TakeOver(requested_at=item.requested_at, stalls=moved.item.stalls)
    return replace(moved, inheritance=inheritance)


def _cancelled(
    item: WorkItem,
    running: Running,
    moment: Moment,
    *,
    run: LastRun,
    left: PartialResult | Failure | None,
) -> Moved:
    failure = left if isinstance(left, Failure) else None
    state = _cancelled_state(running, moment, run=run, left=left)
    return _ended(item, running, AttemptEnd.CANCELLED, moment, state, failure=failure)


def _cancelled_state(
    running: Running, moment: Moment, *, run: LastRun, left: PartialResult | Failure | None
) -> Cancelled:
    return Cancelled(
        finished_at=moment.now, run=run, cancel_requested_at=running.cancel_requested_at, left=left
    )


def _ended(  # noqa: PLR0913 -- the parts of one move
    item: WorkItem,
    running: Running,
    how: AttemptEnd,
    moment: Moment,
    state: State,
    *,
    failure: Failure | None = None,
    **counts: Unpack[_Counts],
) -> Moved:
    ended = EndedAttempt(
        attempt=item.attempt,
        claimed_by=running.lease.holder,
        started_at=running.started_at,
        ended_at=moment.now,
        how=how,
        failure=failure,
    )
    return Moved(_in_state(item, state, moment, **counts), ended)


def _last_run(running: Running, progress: Progress | None = None) -> LastRun:
    return LastRun(
        claimed_by=running.lease.holder,
        started_at=running.started_at,
        progress=progress or running.progress,
    )


def _in_state(item: WorkItem, state: State, moment: Moment, **counts: Unpack[_Counts]) -> WorkItem:
    return replace(item, state=state, updated_at=moment.now, revision=item.revision + 1, **counts)
