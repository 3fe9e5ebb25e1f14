"""A durable request for work, and the five states it can be in.

Each state is a record of its own and holds just what is true in it: only a running item has a lease,
only a cancelled one a partial result, and a failed one cannot hold a result. Nothing is "null unless".
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from domain.failure import Failure
from domain.ids import Attempt, DedupKey, JsonText, KindName, StorageConfigId, UserId, WorkerName, WorkItemId
from domain.lease import Lease
from domain.progress import NO_PROGRESS, Progress


class Status(StrEnum):
    """The word for each state, as tables, API and people use it."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


TERMINAL = frozenset({Status.SUCCEEDED, Status.FAILED, Status.CANCELLED})
"""No write ever changes an item in one of these (S-2)."""


@dataclass(frozen=True, slots=True)
class Queued:
    """Waits for a worker; not before `run_after`. `last_failure` is why the run before is tried again."""

    status: ClassVar[Status] = Status.QUEUED
    run_after: datetime | None = None
    last_failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Running:
    """One attempt is under way, for as long as its lease lasts."""

    status: ClassVar[Status] = Status.RUNNING
    lease: Lease
    started_at: datetime
    progress: Progress = NO_PROGRESS
    cancel_requested_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class LastRun:
    """What stays known of the run that ended an item."""

    claimed_by: WorkerName
    started_at: datetime
    progress: Progress


@dataclass(frozen=True, slots=True)
class Succeeded:
    """The work is complete; a cancel request that came too late is still shown."""

    status: ClassVar[Status] = Status.SUCCEEDED
    finished_at: datetime
    run: LastRun
    result: JsonText
    cancel_requested_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """The work was given up. The last progress says where it stopped; there is no result."""

    status: ClassVar[Status] = Status.FAILED
    finished_at: datetime
    run: LastRun
    failure: Failure


@dataclass(frozen=True, slots=True)
class PartialResult:
    """What a handler had done when it stopped on request."""

    result: JsonText


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Stopped on request, or superseded by a waiting item with the same dedup key.

    `run` is None when no run was under way. `left` is what the run left behind: its partial result,
    why it ended otherwise, or nothing.
    """

    status: ClassVar[Status] = Status.CANCELLED
    finished_at: datetime
    run: LastRun | None
    cancel_requested_at: datetime | None
    left: PartialResult | Failure | None = None


State = Queued | Running | Succeeded | Failed | Cancelled

NEVER_CLAIMED = Attempt(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """One durable request for work (S-1).

    `storage_config_id` is its scope, None for unscoped work. `requested_by` is None for scheduled work.
    `attempt` only ever grows; `stalls` counts expired leases, `retries` counts failures tried again.
    `revision` grows by one with every write.
    """

    id: WorkItemId
    kind: KindName
    payload: JsonText
    storage_config_id: StorageConfigId | None
    dedup_key: DedupKey | None
    requested_by: UserId | None
    requested_at: datetime
    attempt: Attempt = NEVER_CLAIMED
    stalls: int = 0
    retries: int = 0
    updated_at: datetime
    revision: int = 1
    state: State = Queued()

    @property
    def status(self) -> Status:
        """The word for its state."""
        return self.state.status


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWorkItem:
    """A request for work before a store has taken it in.

    The id is made by the asker, so that a request repeated after a lost reply stays one item (R15).
    """

    id: WorkItemId
    kind: KindName
    payload: JsonText
    storage_config_id: StorageConfigId | None = None
    dedup_key: DedupKey | None = None
    requested_by: UserId | None = None

    def queued_at(self, now: datetime) -> WorkItem:
        """The item as it stands when a store takes it in at `now`, by the store's clock."""
        return WorkItem(
            id=self.id,
            kind=self.kind,
            payload=self.payload,
            storage_config_id=self.storage_config_id,
            dedup_key=self.dedup_key,
            requested_by=self.requested_by,
            requested_at=now,
            updated_at=now,
        )
