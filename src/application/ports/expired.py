"""Leases that ran out, and what becomes of their items."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.ids import Attempt, WorkItemId
from domain.outcomes import RecoveryAnswer


@dataclass(frozen=True, slots=True)
class ExpiredLease:
    """One sighting of a lease that had run out. A beat in between makes the next sighting another."""

    id: WorkItemId
    attempt: Attempt
    lease_until: datetime


class ExpiredLeases(Protocol):
    """Finds and recovers items whose worker went quiet. Judges no kind and no scope."""

    async def expired(self, *, limit: int) -> tuple[ExpiredLease, ...]:
        """Leases that have run out by the store's clock, the longest expired first."""
        ...

    async def recover(self, sighting: ExpiredLease, *, stall_limit: int) -> RecoveryAnswer:
        """Count a stall and move the one item as `domain.lifecycle` says, if it is still as sighted.

        One item a call, so that one bad row never stops the others (R12).
        """
        ...
