"""The right to run one attempt until an instant."""

from dataclasses import dataclass
from datetime import datetime

from domain.ids import WorkerName


@dataclass(frozen=True, slots=True)
class Lease:
    """Held by one worker until `until`, by the store's clock. Heartbeats move `until` forward."""

    holder: WorkerName
    until: datetime

    def expired(self, now: datetime) -> bool:
        """Whether the lease has run out at `now`, which must come from the same clock as `until`."""
        return self.until <= now
