"""The five states of an item, laid flat: for rows of tables, the wire and the eye, which have no records in records."""

from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from domain.failure import Failure
from domain.ids import JsonText
from domain.progress import NO_PROGRESS, Progress
from domain.work_item import Cancelled, Failed, LastRun, PartialResult, Queued, Running, State, Succeeded


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatState:
    """Every field that some state has; None where this one has it not."""

    run_after: datetime | None = None
    claimed_by: str | None = None
    started_at: datetime | None = None
    lease_until: datetime | None = None
    finished_at: datetime | None = None
    cancel_requested_at: datetime | None = None
    progress: Progress = NO_PROGRESS
    result: JsonText | None = None
    partial: bool = False
    failure: Failure | None = None


def flattened(state: State) -> FlatState:
    """The state without its type. A failed item has no result, a cancelled one only its partial one."""
    match state:
        case Queued():
            return FlatState(run_after=state.run_after, failure=state.last_failure)
        case Running():
            return FlatState(
                claimed_by=state.lease.holder,
                started_at=state.started_at,
                lease_until=state.lease.until,
                cancel_requested_at=state.cancel_requested_at,
                progress=state.progress,
            )
        case Succeeded():
            return _ended(
                state.run, state.finished_at, asked_at=state.cancel_requested_at, result=state.result
            )
        case Failed():
            return _ended(state.run, state.finished_at, failure=state.failure)
        case Cancelled():
            return _cancelled(state)
        case _:
            assert_never(state)


def _cancelled(state: Cancelled) -> FlatState:
    partial = state.left.result if isinstance(state.left, PartialResult) else None
    return _ended(
        state.run,
        state.finished_at,
        asked_at=state.cancel_requested_at,
        result=partial,
        partial=partial is not None,
        failure=state.left if isinstance(state.left, Failure) else None,
    )


def _ended(  # noqa: PLR0913 -- the fields of an ended item
    run: LastRun | None,
    finished_at: datetime,
    *,
    asked_at: datetime | None = None,
    result: JsonText | None = None,
    partial: bool = False,
    failure: Failure | None = None,
) -> FlatState:
    return FlatState(
        claimed_by=None if run is None else run.claimed_by,
        started_at=None if run is None else run.started_at,
        finished_at=finished_at,
        cancel_requested_at=asked_at,
        progress=NO_PROGRESS if run is None else run.progress,
        result=result,
        partial=partial,
        failure=failure,
    )
