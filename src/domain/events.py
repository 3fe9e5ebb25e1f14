"""What can happen to a work item. Events are imperative; none of them holds an instant."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from domain.failure import Failure
from domain.ids import Attempt, JsonText, WorkerName, WorkItemId
from domain.progress import Progress


@dataclass(frozen=True, slots=True)
class Moment:
    """What a store sees as it applies an event.

    `now` is by the store's own clock. `twin` is the item that waits with the same dedup key, if one
    does: an item that would go back to the queue then makes way for it.
    """

    now: datetime
    twin: WorkItemId | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that may move an item."""


@dataclass(frozen=True, slots=True)
class Claim(Event):
    """A worker takes the item, for as long as the lease lasts."""

    holder: WorkerName
    lease_for: timedelta


@dataclass(frozen=True, slots=True)
class RequestCancel(Event):
    """Somebody wants the item stopped."""


@dataclass(frozen=True, slots=True)
class TakeOver(Event):
    """The item stands in for another one that could not go back to the queue beside it."""

    requested_at: datetime
    stalls: int


@dataclass(frozen=True, slots=True)
class ExpireLease(Event):
    """The lease ran out; at `stall_limit` stalls the item fails."""

    stall_limit: int


@dataclass(frozen=True, slots=True)
class FencedEvent(Event):
    """Heard only from the attempt that holds the lease."""

    attempt: Attempt


@dataclass(frozen=True, slots=True)
class Heartbeat(FencedEvent):
    """The run goes on. Without a progress the last one stays."""

    lease_for: timedelta
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Succeed(FencedEvent):
    """The handler returned its result."""

    result: JsonText
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Fail(FencedEvent):
    """The handler failed for good."""

    failure: Failure
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Retry(FencedEvent):
    """The handler failed and its kind wants another try after `wait`."""

    failure: Failure
    wait: timedelta


@dataclass(frozen=True, slots=True)
class Stop(FencedEvent):
    """The handler stopped on request and says what it had done."""

    partial: JsonText
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Release(FencedEvent):
    """The worker hands the item back, without a stall."""


RunEnd = Succeed | Fail | Retry | Stop | Release
"""How the worker that holds a lease may end its attempt."""
