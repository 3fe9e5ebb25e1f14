"""An install whose only kind is the one of the guide: the real worker, on a memory store and a clock that stands still."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from dependency_injector import containers, providers

from adapters.memory.database import MemoryDatabase
from adapters.memory.presences import MemoryPresences
from adapters.memory.work_lookup import MemoryWorkLookup
from application.admin import Admin, ItemHistory
from application.enqueue import WorkQueue
from application.worker import Worker
from domain.ids import DedupKey, WorkerName, WorkItemId
from domain.outcomes import Created
from domain.presence import WorkerPresence
from domain.scope import AllScopes
from entrypoints.settings.loading import load
from entrypoints.wiring.worker import WorkerParts, assembled
from tests.support.clock import ManualClock, settled
from tests.support.ids import FixedChance
from tests.support.journal import RecordingJournal
from tests.support.lanes import InlineLanes
from tests.support.memory import a_memory_house
from tests.unit.guide.thumbnail_audit.payload import ThumbnailAuditPayload
from tests.unit.guide.thumbnail_audit.registration import GuideKinds

ADA = WorkerName("ada")


@dataclass(slots=True)
class Shelf:
    """Three thumbnails, one of them broken; they cannot be read for as long as there is a fault."""

    fault: OSError | None = None

    async def soundness(self, sample_size: int) -> Sequence[bool]:
        if self.fault is not None:
            raise self.fault
        return [True, False, True][:sample_size]


class Install:
    """Everything that runs work, as the container assembles it: only what is outside is of the test."""

    def __init__(self, folder: Path) -> None:
        self.clock = ManualClock()
        self.chance = FixedChance()
        self.shelf = Shelf()
        self.house = a_memory_house(self.clock)
        database = self.house.transactions
        assert isinstance(database, MemoryDatabase)
        presences = MemoryPresences(database)
        self.admin = Admin(self.house.store, MemoryWorkLookup(database), presences)
        self._parts = WorkerParts(settings=load({"ANICHRON_DATA": str(folder)}).settings)
        kinds = GuideKinds(stores=_shelves(self.shelf))
        for part, own in (
            (self._parts.registry, kinds.registry()),
            (self._parts.stores.work, self.house.store),
            (self._parts.stores.leases, self.house.store),
            (self._parts.stores.configs, self.house.storage_configs),
            (self._parts.stores.presences, presences),
            (self._parts.clock, self.clock),
            (self._parts.chance, self.chance),
            (self._parts.journal, RecordingJournal()),
            (self._parts.lanes, InlineLanes()),
        ):
            part.override(providers.Object(own))

    @property
    def queue(self) -> WorkQueue:
        """The only way in."""
        return self._parts.queue()

    async def an_audit(self, *, dedup_key: DedupKey | None = None) -> WorkItemId:
        """A waiting item of the guide's kind."""
        answer = await self.queue.enqueue(ThumbnailAuditPayload(sample_size=3), dedup_key=dedup_key)
        assert isinstance(answer, Created)
        return answer.id

    async def history(self, item: WorkItemId) -> ItemHistory:
        """What an admin sees of it."""
        found = await self.admin.item(item)
        assert isinstance(found, ItemHistory)
        return found

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[Worker]:
        """A worker works until the block ends, and then leaves."""
        worker = assembled(self._parts, WorkerPresence(ADA, AllScopes(), "1.0", 1))
        running = asyncio.create_task(worker.run())
        await settled()
        try:
            yield worker
        finally:
            worker.stop()
            await self.clock.run_for(worker.options.grace)
            await running

    async def pass_time(self, seconds: float) -> None:
        """Let time pass for everybody."""
        await self.clock.run_for(timedelta(seconds=seconds))


def _shelves(shelf: Shelf) -> containers.DynamicContainer:
    stores = containers.DynamicContainer()
    stores.thumbnails = providers.Object(shelf)
    return stores
