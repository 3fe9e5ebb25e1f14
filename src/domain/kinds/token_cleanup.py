"""Token cleanup: refresh tokens past their expiry are deleted."""

from dataclasses import dataclass
from typing import ClassVar, Final

from domain.ids import DedupKey
from domain.kinds.kind import WorkKind, WorkPayload, WorkResult

DEDUP_KEY: Final = DedupKey(WorkKind.TOKEN_CLEANUP.value)


@dataclass(frozen=True, slots=True)
class TokenCleanupPayload(WorkPayload):
    """Asks for nothing beside the work itself."""

    kind: ClassVar[WorkKind] = WorkKind.TOKEN_CLEANUP
    periodic: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class TokenCleanupResult(WorkResult):
    """How many refresh tokens were deleted."""

    deleted: int
