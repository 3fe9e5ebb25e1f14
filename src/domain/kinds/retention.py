"""Work item retention: finished items leave after some days."""

from dataclasses import dataclass
from typing import ClassVar, Final

from domain.ids import DedupKey
from domain.kinds.kind import WorkKind, WorkPayload, WorkResult

DEDUP_KEY: Final = DedupKey(WorkKind.WORK_ITEM_RETENTION.value)


@dataclass(frozen=True, slots=True)
class WorkItemRetentionPayload(WorkPayload):
    """Asks for nothing beside the work itself."""

    kind: ClassVar[WorkKind] = WorkKind.WORK_ITEM_RETENTION
    periodic: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class WorkItemRetentionResult(WorkResult):
    """How many finished items were deleted."""

    deleted: int
