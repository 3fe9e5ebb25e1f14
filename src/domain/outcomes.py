"""Typed answers. What can be expected is never an exception, a boolean or None."""

from dataclasses import dataclass

from domain.ids import WorkItemId
from domain.work_item import Status, WorkItem


@dataclass(frozen=True, slots=True)
class Fenced:
    """Acted with an attempt that is no longer held: nothing was changed."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The event does not apply to an item in this state: nothing was changed."""

    status: Status


# How a request for work was answered.
@dataclass(frozen=True, slots=True)
class Created:
    """A new item waits."""

    id: WorkItemId


@dataclass(frozen=True, slots=True)
class Coalesced:
    """An item with the same dedup key waits already; this is it."""

    id: WorkItemId


@dataclass(frozen=True, slots=True)
class UnknownScope:
    """The storage config of the request does not exist, or no longer."""


@dataclass(frozen=True, slots=True)
class NotDue:
    """Periodic work that was done recently enough, or is under way."""


EnqueueAnswer = Created | Coalesced | UnknownScope
DueAnswer = Created | NotDue | UnknownScope


# How a heartbeat was answered; or `Fenced`.
@dataclass(frozen=True, slots=True)
class LeaseExtended:
    """The run goes on."""


@dataclass(frozen=True, slots=True)
class StopRequested:
    """The lease was extended, and somebody asked for the run to be cancelled."""


HeartbeatAnswer = LeaseExtended | StopRequested | Fenced


# How the end of a run was answered; or `Fenced`.
@dataclass(frozen=True, slots=True)
class Recorded:
    """The end of this attempt stands in the store, now or since an earlier try."""


FinishAnswer = Recorded | Fenced


# How a cancel was answered.
@dataclass(frozen=True, slots=True)
class CancelledNow:
    """It was waiting and will never start."""

    item: WorkItem


@dataclass(frozen=True, slots=True)
class CancelRequested:
    """It is running and was asked to stop, now or before."""

    item: WorkItem


@dataclass(frozen=True, slots=True)
class AlreadyFinished:
    """It had finished: nothing was changed."""

    item: WorkItem


@dataclass(frozen=True, slots=True)
class UnknownItem:
    """No item has this id, or no longer."""


CancelAnswer = CancelledNow | CancelRequested | AlreadyFinished | UnknownItem


# What became of an expired lease; or `NotExpired`.
@dataclass(frozen=True, slots=True)
class Recovered:
    """The item went back to the queue, failed as stalled, or ended cancelled, as its state says."""

    item: WorkItem


@dataclass(frozen=True, slots=True)
class NotExpired:
    """A beat, a finish or another worker came first: nothing was changed."""


RecoveryAnswer = Recovered | NotExpired
