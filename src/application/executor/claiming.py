"""Takes work while there is room for it, and never loses track of what was taken."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from application.heartbeat import Grip
from application.ports.claims import ClaimRequest, Ticket, WorkClaims
from application.ports.clock import Clock
from application.ports.errors import StoreRefused
from application.ports.journal import Journal, MachineFault, StrayReleased
from application.worker_options import WorkerOptions
from domain.events import Release, RunEnd
from domain.ids import KindName
from domain.outcomes import FinishAnswer, Recorded
from domain.presence import WorkerPresence
from domain.work_item import WorkItem


@dataclass(frozen=True, slots=True)
class _Ask:
    """A claim under way: how many it asked for at most, and how many slots it gets free itself."""

    limit: int
    freeing: int = 0


@dataclass(slots=True, kw_only=True)
class Claiming:
    """Claims for one worker, and knows every attempt that it holds."""

    claims: WorkClaims
    clock: Clock
    journal: Journal
    worker: WorkerPresence
    kinds: frozenset[KindName]
    options: WorkerOptions
    unheard: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set while the answer of a claim may have been lost: nothing is claimed until that is cleared up."""
    taken: int = field(default=0, init=False)
    has_asked: bool = field(default=False, init=False)
    _mine: dict[Ticket, Grip] = field(default_factory=dict, init=False)
    _lost: set[Ticket] = field(default_factory=set, init=False)
    _asking: list[_Ask] = field(default_factory=list, init=False)

    @property
    def running(self) -> int:
        """How many attempts are held."""
        return len(self._mine)

    @property
    def held(self) -> tuple[Grip, ...]:
        """The attempts that something is still to be done for."""
        return tuple(self._mine.values())

    @property
    def is_over(self) -> bool:
        """Whether this worker has taken all that it was to take."""
        return self.options.max_items is not None and self.taken >= self.options.max_items

    def room(self, *, freeing: int = 0) -> int:
        """How many items may be claimed now, if as many as `freeing` slots get free on the way."""
        if self.unheard.is_set():
            return 0
        reserved = sum(ask.limit - ask.freeing for ask in self._asking)
        free = self.options.slots + freeing - len(self._mine) - reserved
        if self.options.max_items is not None:
            free = min(free, self.options.max_items - self.taken - sum(ask.limit for ask in self._asking))
        return max(0, free)

    async def claim(self) -> tuple[Grip, ...]:
        """Whatever is ready, as far as there is room."""
        limit = self.room()
        if limit == 0:
            return ()
        sent_at = self.clock.monotonic()
        with self._ask(_Ask(limit)):
            items = await self.claims.claim(self._request(limit))
            return self._take(items, sent_at)

    async def finish_and_claim(self, grip: Grip, end: RunEnd) -> tuple[FinishAnswer, tuple[Grip, ...]]:
        """End one attempt and claim for its slot, and others that are free, in one round trip.

        There must be room.
        """
        limit = self.room(freeing=1)
        sent_at = self.clock.monotonic()
        with self._ask(_Ask(limit, freeing=1)):
            answer, items = await self.claims.finish_and_claim(grip.item.id, end, self._request(limit))
            self.forget(grip)
            return answer, self._take(items, sent_at)

    def forget(self, grip: Grip) -> None:
        """Nothing more is to be done for this attempt."""
        ticket = _ticket(grip.item)
        self._mine.pop(ticket, None)
        if grip.lost_by is not None:
            # Its row may still name this worker; all the same nothing is written for it any more.
            self._lost.add(ticket)

    async def hand_back_strays(self) -> None:
        """Release what this worker holds without knowing it: claims whose answers were lost (R15)."""
        if self._asking:
            return
        held = await self.claims.held_by(self.worker.name)
        self._lost.intersection_update(held)
        for ticket in [ticket for ticket in held if ticket not in self._mine.keys() | self._lost]:
            await self._hand_back(ticket)
        self.unheard.clear()

    async def _hand_back(self, ticket: Ticket) -> None:
        try:
            answer = await self.claims.finish(ticket.id, Release(ticket.attempt))
        except StoreRefused as error:
            self.journal.record(MachineFault("release", error))
        else:
            if isinstance(answer, Recorded):
                self.journal.record(StrayReleased(ticket.id, ticket.attempt))

    @contextmanager
    def _ask(self, ask: _Ask) -> Iterator[None]:
        self.has_asked = True
        self._asking.append(ask)
        try:
            yield
        except BaseException:
            self.unheard.set()
            raise
        finally:
            self._asking.remove(ask)

    def _request(self, limit: int) -> ClaimRequest:
        return ClaimRequest(
            scope=self.worker.scope,
            kinds=self.kinds,
            holder=self.worker.name,
            lease_for=self.options.lease,
            limit=limit,
        )

    def _take(self, items: tuple[WorkItem, ...], sent_at: timedelta) -> tuple[Grip, ...]:
        self.taken += len(items)
        grips = tuple(Grip(item, until=sent_at + self.options.lease) for item in items)
        self._mine.update((_ticket(grip.item), grip) for grip in grips)
        return grips


def _ticket(item: WorkItem) -> Ticket:
    return Ticket(item.id, item.attempt)
