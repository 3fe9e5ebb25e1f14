"""Whole workers on one loop: the real ones, on a memory store and a clock that stands still."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

from adapters.codec.payloads import MsgspecPayloadCodec
from adapters.memory.database import MemoryDatabase
from adapters.memory.users import MemoryUsers
from adapters.memory.work_store import MemoryWorkStore
from application.enqueue import WorkQueue
from application.executor.slots import Executor
from application.handling import BlockingHandler, Handler
from application.heartbeat import Heartbeat
from application.recovery import Recovery
from application.registry import KindRegistry, Registration
from application.scheduler import Scheduler
from application.scheduling import Schedule
from application.waiting import Contact
from application.worker import Worker
from application.worker_options import WorkerOptions
from domain.events import Release
from domain.ids import WorkerName, WorkItemId
from domain.outcomes import Recorded
from domain.presence import WorkerPresence
from domain.retry import NO_RETRY, RetryPolicy
from domain.scope import AllScopes, Scope
from domain.work_item import WorkItem
from tests.support.builders import a_claim, a_new_item, enqueued
from tests.support.clock import ManualClock, settled
from tests.support.faulty import FaultyConfigs, FaultyPresences, FaultyStore, Line
from tests.support.ids import CountingIds, FixedChance
from tests.support.journal import RecordingJournal
from tests.support.lanes import InlineLane, InlineLanes
from tests.support.probes import NEVER, ProbeHandler, ProbeKind, ProbePayload
from tests.support.reading import stored

ADA = WorkerName("ada")
OPTIONS = WorkerOptions()
TURNS_FOR_MANY_ITEMS = 50


class Workshop:
    """A store, a clock and a journal, and the workers that share them."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.database = MemoryDatabase(self.clock)
        self.line = Line()
        self.store = FaultyStore(self.database, self.line)
        self.configs = FaultyConfigs(self.database, self.line)
        self.users = MemoryUsers(self.database)
        self.presences = FaultyPresences(self.database, self.line)
        self.journal = RecordingJournal()
        self.lanes = InlineLanes()
        self.chance = FixedChance()
        self.ids = CountingIds(1_000_000)

    def worker(  # noqa: PLR0913 -- the knobs of a worker
        self,
        handler: Handler[ProbePayload] | BlockingHandler[ProbePayload] | None = None,
        *,
        options: WorkerOptions = OPTIONS,
        retry: RetryPolicy = NO_RETRY,
        name: WorkerName = ADA,
        scope: Scope | None = None,
        schedule: Schedule = NEVER,
        line: Line | None = None,
    ) -> Worker:
        """A worker that runs probes; without a line of its own it shares everybody's."""
        line = line or self.line
        store = FaultyStore(self.database, line)
        configs = FaultyConfigs(self.database, line)
        presences = FaultyPresences(self.database, line)
        presences.rows = self.presences.rows
        presence = WorkerPresence(name, scope or AllScopes(), "1.0", options.slots)
        registration = Registration(ProbePayload, handler or ProbeHandler(), retry=retry)
        codec = MsgspecPayloadCodec()
        contact = Contact(self.clock)
        heartbeat = Heartbeat(store, InlineLane(), self.clock, self.journal, options)
        executor = Executor(
            claims=store,
            registry=KindRegistry([registration], ProbeKind),
            codec=codec,
            lanes=self.lanes,
            chance=self.chance,
            heartbeat=heartbeat,
            contact=contact,
            clock=self.clock,
            journal=self.journal,
            worker=presence,
            options=options,
        )
        scheduler = Scheduler(
            queue=WorkQueue(store, codec, self.ids),
            ledger=store,
            configs=configs,
            schedules=(schedule,),
            scope=presence.scope,
            journal=self.journal,
        )
        return Worker(
            worker=presence,
            executor=executor,
            heartbeat=heartbeat,
            recovery=Recovery(store, contact, self.clock, self.journal, options),
            scheduler=scheduler,
            presences=presences,
            contact=contact,
            chance=self.chance,
            clock=self.clock,
            journal=self.journal,
            options=options,
        )

    def options(self, **changes: Any) -> WorkerOptions:  # noqa: ANN401 -- the options' own types
        """The usual options, but for these."""
        return replace(OPTIONS, **changes)

    async def a_probe(self, number: int = 0, *, dedup_key: str | None = None) -> WorkItemId:
        """A waiting probe."""
        payload = f'{{"number":{number}}}'
        return await enqueued(self.store, a_new_item(kind="probe", payload=payload, dedup_key=dedup_key))

    async def look_at(self, item: WorkItemId) -> WorkItem:
        """The item as it stands."""
        return await stored(self.store, item)

    async def take_away(self, item: WorkItemId, *, by: WorkerName) -> None:
        """Somebody hands the running item back, and another worker claims it."""
        found = await self.look_at(item)
        assert await MemoryWorkStore.finish(self.store, item, Release(found.attempt)) == Recorded()
        request = a_claim(by=by, kinds=frozenset({ProbeKind.PROBE.row_name}))
        assert [claim.id for claim in await MemoryWorkStore.claim(self.store, request)] == [item]

    @asynccontextmanager
    async def at_work(self, worker: Worker) -> AsyncIterator["asyncio.Task[object]"]:
        """The worker works, until the block ends; then it has left in good order."""
        task: asyncio.Task[object] = asyncio.create_task(worker.run())
        await self.quiet()
        try:
            yield task
        finally:
            worker.stop()
            await self.clock.run_for(worker.options.grace)
            await asyncio.wait([task])

    async def quiet(self) -> None:
        """Let everybody go on for as long as there is anything to do without time passing."""
        for _ in range(TURNS_FOR_MANY_ITEMS):
            await settled()

    async def pass_time(self, seconds: float) -> None:
        """Let time pass for everybody."""
        await self.clock.run_for(timedelta(seconds=seconds))
