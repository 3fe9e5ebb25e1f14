"""The history of one run: the answer to "why did it run three times?"."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from domain.events import Fail, Release, Retry, RunEnd, Stop, Succeed
from domain.failure import Failure
from domain.ids import Attempt, WorkerName, WorkItemId


@dataclass(frozen=True, slots=True)
class RunId:
    """Tags what a run stores in its kind's own tables, so that a zombie's rows stay invisible (S-21)."""

    work_item_id: WorkItemId
    attempt: Attempt


class AttemptEnd(StrEnum):
    """How a run ended, which need not be how its item ended.

    `stalled` always means that the lease ran out, whatever became of the item then.
    """

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    RETRIED = "retried"
    CANCELLED = "cancelled"
    RELEASED = "released"
    STALLED = "stalled"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class EndedAttempt:
    """One run that is over. Its failure is the run's own, kept even where the item shows another."""

    attempt: Attempt
    claimed_by: WorkerName
    started_at: datetime
    ended_at: datetime
    how: AttemptEnd
    failure: Failure | None = None

    def is_end_of(self, end: RunEnd) -> bool:
        """Whether `end` is what ended this attempt, so that being told it again changes nothing (R15)."""
        told = end.failure if isinstance(end, Fail | Retry) else None
        return end.attempt == self.attempt and self.how in _ENDS[type(end)] and told == self.failure


# After a cancel request a run ends cancelled, and beside a waiting twin superseded, whatever it reported.
_ENDS: Final[Mapping[type[RunEnd], frozenset[AttemptEnd]]] = {
    Succeed: frozenset({AttemptEnd.SUCCEEDED}),
    Fail: frozenset({AttemptEnd.FAILED, AttemptEnd.CANCELLED}),
    Retry: frozenset({AttemptEnd.RETRIED, AttemptEnd.CANCELLED, AttemptEnd.SUPERSEDED}),
    Stop: frozenset({AttemptEnd.CANCELLED}),
    Release: frozenset({AttemptEnd.RELEASED, AttemptEnd.CANCELLED, AttemptEnd.SUPERSEDED}),
}
