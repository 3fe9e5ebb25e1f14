"""What must hold between two looks at a table, whatever happened in between."""

from collections.abc import Iterator, Mapping

from domain.ids import WorkItemId
from domain.work_item import TERMINAL, Running, Status, WorkItem

Table = Mapping[WorkItemId, WorkItem]


def broken_laws(before: Table, after: Table) -> list[str]:
    """What the step from `before` to `after`, in which no item was claimed twice, should not have done."""
    waiting = [item.dedup_key for item in after.values() if item.status is Status.QUEUED and item.dedup_key]
    faults = ["two items wait with one key"] if len(waiting) > len(set(waiting)) else []
    for item in before.values():
        if item.id in after:
            faults += _faults(item, after[item.id])
    return faults


def _faults(before: WorkItem, after: WorkItem) -> Iterator[str]:
    if before.status in TERMINAL and after != before:
        yield f"{before.id} had finished and was changed"
    if after.revision < before.revision or (after != before and after.revision == before.revision):
        yield f"{before.id} was changed without a new revision"
    if after.attempt not in (before.attempt, before.attempt + 1):
        yield f"{before.id} went from attempt {before.attempt} to {after.attempt}"
    if after.status is Status.RUNNING and before.status is Status.QUEUED and after.attempt == before.attempt:
        yield f"{before.id} was claimed without a new attempt"
    if after.stalls < before.stalls or after.retries < before.retries:
        yield f"{before.id} lost a stall or a retry"
    if after.requested_at > before.requested_at:
        yield f"{before.id} lost its place"
    if _was_asked_to_stop(before) and after.status is Status.QUEUED:
        yield f"{before.id} was asked to stop and went back to the queue"


def _was_asked_to_stop(item: WorkItem) -> bool:
    return isinstance(item.state, Running) and item.state.cancel_requested_at is not None
