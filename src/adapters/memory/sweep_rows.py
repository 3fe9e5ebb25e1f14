"""The rows around proxy sweeps, in memory."""

from dataclasses import dataclass
from datetime import datetime

from domain.ids import WorkItemId


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A request that may be sent again, and what came of it."""

    digest: bytes
    items: tuple[WorkItemId, ...]
    taken_at: datetime
