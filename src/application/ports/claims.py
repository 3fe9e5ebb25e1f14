"""How a worker takes work and says how it ended."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from domain.events import RunEnd
from domain.ids import Attempt, KindName, WorkerName, WorkItemId
from domain.outcomes import FinishAnswer
from domain.scope import Scope
from domain.work_item import WorkItem


@dataclass(frozen=True, slots=True)
class ClaimRequest:
    """Who asks for what: at most `limit` items of these kinds within this scope."""

    scope: Scope
    kinds: frozenset[KindName]
    holder: WorkerName
    lease_for: timedelta
    limit: int = 1


@dataclass(frozen=True, slots=True)
class Ticket:
    """One attempt at one item."""

    id: WorkItemId
    attempt: Attempt


class WorkClaims(Protocol):
    """How a worker takes and gives back work. Every method is one atomic step."""

    async def claim(self, request: ClaimRequest) -> tuple[WorkItem, ...]:
        """The oldest ready items that the request may have, now running; none if there are none.

        First in, first out by (requested_at, id). No two claims ever get the same attempt of an item.
        An empty answer means that nothing was ready and free, not merely that other claimers were near.
        """
        ...

    async def finish(self, item: WorkItemId, end: RunEnd) -> FinishAnswer:
        """Record how an attempt ended, as `domain.lifecycle` decides what then becomes of the item.

        Only the attempt that holds the lease is heard; a late one changes nothing and is answered
        `Fenced`. Repeated after a lost reply, an end that was applied is answered `Recorded` (R15).
        """
        ...

    async def finish_and_claim(
        self, item: WorkItemId, end: RunEnd, request: ClaimRequest
    ) -> tuple[FinishAnswer, tuple[WorkItem, ...]]:
        """`finish`, then `claim`, in one round trip where the store can: both applied, or neither."""
        ...

    async def held_by(self, holder: WorkerName) -> tuple[Ticket, ...]:
        """The running attempts of this holder: so it finds a claim whose reply was lost (R15)."""
        ...
