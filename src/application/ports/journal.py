"""What a process tells of its doings, for the operator's eyes (S-23). Ids and counts, no names of files."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from domain.ids import Attempt, DedupKey, KindName, WorkerName, WorkItemId
from domain.presence import WorkerPresence
from domain.work_item import Status


class FencedBy(StrEnum):
    """Why nothing more is written for an attempt.

    The store said that it is not held, the worker's own clock said so, the store refuses to hear its end,
    or the worker had to leave before the store would hear it.
    """

    STORE = "store"
    WATCHDOG = "watchdog"
    REFUSAL = "refusal"
    DEPARTURE = "departure"


class EndWord(StrEnum):
    """How an attempt was ended by its worker."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    RETRIED = "retried"
    STOPPED = "stopped"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class WorkerArrived:
    """The worker has reached its store and begins."""

    presence: WorkerPresence


@dataclass(frozen=True, slots=True)
class WorkerLeaving:
    """The worker takes no more work; `running` items are under way."""

    worker: WorkerName
    running: int


@dataclass(frozen=True, slots=True)
class WorkerLeft:
    """The worker is done. What is still running was left behind."""

    worker: WorkerName
    running: int


@dataclass(frozen=True, slots=True)
class MachineFault:
    """Something that is no item's fault went wrong in a part of the process, a worker or an API; it goes on."""

    part: str
    error: BaseException


@dataclass(frozen=True, slots=True)
class WorkScheduled:
    """Periodic work was due."""

    item: WorkItemId
    kind: KindName
    dedup_key: DedupKey


@dataclass(frozen=True, slots=True)
class OfAttempt:
    """Something that happened to one attempt."""

    item: WorkItemId
    kind: KindName
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class AttemptClaimed(OfAttempt):
    """The worker took it."""


@dataclass(frozen=True, slots=True)
class AttemptFinished(OfAttempt):
    """The worker ended it; `code` says why where it failed."""

    how: EndWord
    code: str | None = None


@dataclass(frozen=True, slots=True)
class AttemptFenced(OfAttempt):
    """The worker does not hold it any more and writes nothing for it."""

    by: FencedBy


@dataclass(frozen=True, slots=True)
class HandlerRaised(OfAttempt):
    """Its handler raised. The exception's text may hold anything."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class HandlerLeftBehind(OfAttempt):
    """Its handler was told to stop, did not, and is not waited for any more."""


@dataclass(frozen=True, slots=True)
class AttemptFault(OfAttempt):
    """Something that is not its handler's fault went wrong with it."""

    part: str
    error: BaseException


@dataclass(frozen=True, slots=True)
class AttemptRecovered(OfAttempt):
    """Its lease had run out; `status` is what became of the item."""

    status: Status


@dataclass(frozen=True, slots=True)
class StrayReleased:
    """A claim whose answer was lost was handed back (R15)."""

    item: WorkItemId
    attempt: Attempt


AttemptEntry = (
    AttemptClaimed
    | AttemptFinished
    | AttemptFenced
    | AttemptFault
    | AttemptRecovered
    | HandlerRaised
    | HandlerLeftBehind
)
WorkerEntry = WorkerArrived | WorkerLeaving | WorkerLeft | WorkScheduled | StrayReleased | MachineFault
Entry = AttemptEntry | WorkerEntry


class Journal(Protocol):
    """Takes entries, from any thread, and never raises."""

    def record(self, entry: Entry) -> None:
        """Note that this happened, now."""
        ...
