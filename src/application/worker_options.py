"""How a worker goes about its work: the figures that its settings decide."""

from dataclasses import dataclass
from datetime import timedelta

RELEASE_MARGIN = timedelta(seconds=1)
"""What is kept of the grace for handing items back and leaving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerOptions:
    """Paces, limits and manners of one worker.

    `poll`: how often it looks for work. `heartbeat`: how often it extends each of its leases, which last
    `lease`. `stall_limit`: how many stalls fail an item. `slots`: how many items run at once. `grace`: how
    long leaving may take. `once`: leave when nothing is ready. `max_items`: leave after that many.
    """

    poll: timedelta = timedelta(seconds=5)
    heartbeat: timedelta = timedelta(seconds=2)
    lease: timedelta = timedelta(seconds=60)
    stall_limit: int = 3
    slots: int = 1
    grace: timedelta = timedelta(seconds=8)
    once: bool = False
    max_items: int | None = None

    @property
    def patience_with_handlers(self) -> timedelta:
        """How long a handler that was told to stop may take, before its item is handed back without it."""
        return max(self.grace - RELEASE_MARGIN, self.grace / 2)
