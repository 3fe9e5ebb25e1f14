"""The history of one run: the answer to "why did it run three times?"."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from domain.failure import Failure
from domain.ids import Attempt, WorkerName


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
