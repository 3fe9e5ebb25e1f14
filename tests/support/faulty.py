"""A memory store that can be made to fail the way a database behind a network does."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from adapters.memory.database import MemoryDatabase
from adapters.memory.presences import MemoryPresences
from adapters.memory.storage_configs import MemoryStorageConfigs
from adapters.memory.work_store import MemoryWorkStore
from application.ports.claims import ClaimRequest, Ticket
from application.ports.errors import StoreRefused, StoreUnavailable, StoreUnfit
from application.ports.expired import ExpiredLease
from application.ports.ledger import Histories
from domain.account import StorageConfig
from domain.events import Heartbeat, RunEnd
from domain.ids import DedupKey, WorkerName, WorkItemId
from domain.outcomes import DueAnswer, FinishAnswer, HeartbeatAnswer, RecoveryAnswer
from domain.presence import WorkerPresence
from domain.scope import Scope
from domain.work_item import NewWorkItem, WorkItem


class Line:
    """The line to a database. Verbs are known by their names.

    `calls` counts each that was sent, answered or not. `holds` keeps requests from arriving and
    `slow_answers` answers from coming back, until the event is set.
    """

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.is_away = False
        self.is_unfit = False
        self.loses_requests: Counter[str] = Counter()
        self.loses_replies: Counter[str] = Counter()
        self.refuses: set[object] = set()
        self.holds: dict[str, asyncio.Event] = {}
        self.slow_answers: dict[str, asyncio.Event] = {}

    @asynccontextmanager
    async def sent(self, verb: str, content: object = None) -> AsyncIterator[None]:
        self.calls[verb] += 1
        # A turn of the loop on the way there and another on the way back, as any network takes.
        await asyncio.sleep(0)
        if verb in self.holds:
            await self.holds[verb].wait()
        if content in self.refuses:
            raise StoreRefused(f"{verb}: refused")
        if self.is_unfit:
            raise StoreUnfit(f"{verb}: not on this store")
        if self.is_away or self._spend(self.loses_requests, verb):
            raise StoreUnavailable(f"{verb}: the request was lost")
        yield
        await asyncio.sleep(0)
        if verb in self.slow_answers:
            await self.slow_answers[verb].wait()
        if self._spend(self.loses_replies, verb):
            raise StoreUnavailable(f"{verb}: the reply was lost")

    @staticmethod
    def _spend(faults: Counter[str], verb: str) -> bool:
        faults[verb] -= 1
        return faults[verb] >= 0


class FaultyStore(MemoryWorkStore):
    """A store of work items at the other end of a line."""

    def __init__(self, database: MemoryDatabase, line: Line) -> None:
        super().__init__(database)
        self.line = line

    async def claim(self, request: ClaimRequest) -> tuple[WorkItem, ...]:
        async with self.line.sent("claim"):
            return await super().claim(request)

    async def finish(self, item: WorkItemId, end: RunEnd) -> FinishAnswer:
        async with self.line.sent("finish", type(end)):
            return await super().finish(item, end)

    async def finish_and_claim(
        self, item: WorkItemId, end: RunEnd, request: ClaimRequest
    ) -> tuple[FinishAnswer, tuple[WorkItem, ...]]:
        async with self.line.sent("finish_and_claim", type(end)):
            return await super().finish_and_claim(item, end, request)

    async def held_by(self, holder: WorkerName) -> tuple[Ticket, ...]:
        async with self.line.sent("held_by"):
            return await super().held_by(holder)

    async def heartbeat(self, item: WorkItemId, beat: Heartbeat) -> HeartbeatAnswer:
        async with self.line.sent("heartbeat"):
            return await super().heartbeat(item, beat)

    async def expired(self, *, limit: int) -> tuple[ExpiredLease, ...]:
        async with self.line.sent("expired"):
            return await super().expired(limit=limit)

    async def recover(self, sighting: ExpiredLease, *, stall_limit: int) -> RecoveryAnswer:
        async with self.line.sent("recover", sighting.id):
            return await super().recover(sighting, stall_limit=stall_limit)

    async def histories(self, keys: frozenset[DedupKey]) -> Histories:
        async with self.line.sent("histories"):
            return await super().histories(keys)

    async def insert_if_due(self, new: NewWorkItem, *, interval: timedelta) -> DueAnswer:
        async with self.line.sent("insert_if_due", new.dedup_key):
            return await super().insert_if_due(new, interval=interval)


class FaultyConfigs(MemoryStorageConfigs):
    """Storage configs at the other end of a line."""

    def __init__(self, database: MemoryDatabase, line: Line) -> None:
        super().__init__(database)
        self.line = line

    async def served(self, scope: Scope) -> tuple[StorageConfig, ...]:
        async with self.line.sent("served"):
            return await super().served(scope)


class FaultyPresences(MemoryPresences):
    """Presence rows at the other end of a line."""

    def __init__(self, database: MemoryDatabase, line: Line) -> None:
        super().__init__(database)
        self.line = line

    async def seen(self, worker: WorkerPresence) -> None:
        async with self.line.sent("seen"):
            await super().seen(worker)

    async def gone(self, worker: WorkerName) -> None:
        async with self.line.sent("gone"):
            await super().gone(worker)
