"""How a running item stays its worker's. Used by the heartbeat alone, on a connection of its own."""

from typing import Protocol

from domain.events import Heartbeat
from domain.ids import WorkItemId
from domain.outcomes import HeartbeatAnswer


class WorkLeases(Protocol):
    """Extends leases."""

    async def heartbeat(self, item: WorkItemId, beat: Heartbeat) -> HeartbeatAnswer:
        """Extend the lease from now by the store's clock, keep the progress, and bring a cancel back.

        Only the attempt that holds the lease is heard; a late one changes nothing and is answered `Fenced`.
        """
        ...
