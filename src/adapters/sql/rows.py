"""Row <-> work item."""

import logging
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeVar

import sqlalchemy as sa

from domain.attempt import AttemptEnd, EndedAttempt
from domain.failure import Failure
from domain.flat_state import FlatState, flattened
from domain.ids import Attempt, DedupKey, JsonText, KindName, StorageConfigId, UserId, WorkerName, WorkItemId
from domain.lease import Lease
from domain.progress import Progress, bounded_progress
from domain.work_item import (
    Cancelled,
    Failed,
    LastRun,
    PartialResult,
    Queued,
    Running,
    State,
    Status,
    Succeeded,
    WorkItem,
)

T = TypeVar("T")
Values = dict[str, Any]

log = logging.getLogger(__name__)

NOBODY: Final = WorkerName("unknown")
NOTHING: Final = JsonText("null")
UNEXPLAINED: Final = Failure("unknown", "")


def row_of(item: WorkItem) -> Values:
    """The whole row of an item."""
    return {
        "id": item.id,
        "kind": item.kind,
        "payload": item.payload,
        "storage_config_id": item.storage_config_id,
        "dedup_key": item.dedup_key,
        "requested_by": item.requested_by,
        **changeable_of(item),
    }


def changeable_of(item: WorkItem) -> Values:
    """What a move can change of the row: every column that tells of a state, those that do not apply included."""
    return {
        "requested_at": item.requested_at,
        "status": item.status.value,
        "attempt": item.attempt,
        "stalls": item.stalls,
        "retries": item.retries,
        "updated_at": item.updated_at,
        "revision": item.revision,
        **_of_state(flattened(item.state)),
    }


def attempt_row_of(item: WorkItemId, ended: EndedAttempt) -> Values:
    """The row of an attempt that is over."""
    return {
        "work_item_id": item,
        "attempt": ended.attempt,
        "claimed_by": ended.claimed_by,
        "started_at": ended.started_at,
        "ended_at": ended.ended_at,
        "ended": ended.how.value,
        **_of_failure(ended.failure),
    }


def item_of(row: sa.Row[Any]) -> WorkItem:
    """The item of a row.

    A row that lacks what its status requires, because somebody wrote it by hand, is shown with what is known
    and told of in the log: it must neither hide the rows around it nor be lost to recovery and cancel.
    """
    gaps = _Gaps(row.updated_at)
    item = WorkItem(
        id=WorkItemId(row.id),
        kind=KindName(row.kind),
        payload=JsonText(row.payload),
        storage_config_id=None if row.storage_config_id is None else StorageConfigId(row.storage_config_id),
        dedup_key=None if row.dedup_key is None else DedupKey(row.dedup_key),
        requested_by=None if row.requested_by is None else UserId(row.requested_by),
        requested_at=row.requested_at,
        attempt=Attempt(row.attempt),
        stalls=row.stalls,
        retries=row.retries,
        updated_at=row.updated_at,
        revision=row.revision,
        state=_state(row, gaps),
    )
    if gaps.found:
        log.warning("work item %s is %s, but its row lacks %s", row.id, row.status, ", ".join(gaps.found))
    return item


def attempt_of(row: sa.Row[Any]) -> EndedAttempt:
    """The ended attempt of a row."""
    return EndedAttempt(
        attempt=Attempt(row.attempt),
        claimed_by=WorkerName(row.claimed_by),
        started_at=row.started_at,
        ended_at=row.ended_at,
        how=AttemptEnd(row.ended),
        failure=_failure(row),
    )


@dataclass(slots=True)
class _Gaps:
    """Fills in for columns that must not be null, and remembers which were."""

    instant: datetime
    found: list[str] = field(default_factory=list)

    def filled(self, name: str, value: T | None, stopgap: T) -> T:
        if value is None:
            self.found.append(name)
            return stopgap
        return value


def _of_state(flat: FlatState) -> Values:
    return {
        "run_after": flat.run_after,
        "claimed_by": flat.claimed_by,
        "started_at": flat.started_at,
        "lease_until": flat.lease_until,
        "finished_at": flat.finished_at,
        "cancel_requested_at": flat.cancel_requested_at,
        "progress_done": flat.progress.done,
        "progress_total": flat.progress.total,
        "progress_note": flat.progress.note,
        "result": flat.result,
        "partial": flat.partial,
        **_of_failure(flat.failure),
    }


def _of_failure(failure: Failure | None) -> Values:
    return {
        "error": None if failure is None else failure.text,
        "error_code": None if failure is None else failure.code,
    }


def _state(row: sa.Row[Any], gaps: _Gaps) -> State:
    match Status(row.status):
        case Status.QUEUED:
            return Queued(row.run_after, _failure(row))
        case Status.RUNNING:
            until = gaps.filled("lease_until", row.lease_until, gaps.instant)
            run = _run(row, gaps)
            lease = Lease(run.claimed_by, until)
            return Running(lease, run.started_at, run.progress, row.cancel_requested_at)
        case Status.SUCCEEDED:
            result = gaps.filled("result", row.result, NOTHING)
            return Succeeded(_finished_at(row, gaps), _run(row, gaps), result, row.cancel_requested_at)
        case Status.FAILED:
            failure = gaps.filled("error_code", _failure(row), UNEXPLAINED)
            return Failed(_finished_at(row, gaps), _run(row, gaps), failure)
        case Status.CANCELLED:
            run_or_none = None if row.claimed_by is None else _run(row, gaps)
            return Cancelled(_finished_at(row, gaps), run_or_none, row.cancel_requested_at, _left(row, gaps))


def _finished_at(row: sa.Row[Any], gaps: _Gaps) -> datetime:
    finished_at: datetime | None = row.finished_at
    return gaps.filled("finished_at", finished_at, gaps.instant)


def _run(row: sa.Row[Any], gaps: _Gaps) -> LastRun:
    return LastRun(
        claimed_by=WorkerName(gaps.filled("claimed_by", row.claimed_by, NOBODY)),
        started_at=gaps.filled("started_at", row.started_at, gaps.instant),
        progress=_progress(row, gaps),
    )


def _progress(row: sa.Row[Any], gaps: _Gaps) -> Progress:
    try:
        return Progress(row.progress_done, row.progress_total, row.progress_note)
    except ValueError:
        gaps.found.append("a possible progress")
        return bounded_progress(row.progress_done, row.progress_total, row.progress_note)


def _failure(row: sa.Row[Any]) -> Failure | None:
    return None if row.error_code is None else Failure(row.error_code, row.error or "")


def _left(row: sa.Row[Any], gaps: _Gaps) -> PartialResult | Failure | None:
    if row.partial:
        return PartialResult(gaps.filled("result", row.result, NOTHING))
    return _failure(row)
