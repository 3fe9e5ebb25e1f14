"""The worker: looks after the queue at every poll, takes work, and leaves in good order."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from application.executor.slots import Executor
from application.heartbeat import Heartbeat
from application.ports.clock import Clock
from application.ports.errors import StoreUnavailable, StoreUnfit
from application.ports.journal import Journal, MachineFault, WorkerArrived, WorkerLeaving, WorkerLeft
from application.ports.new_ids import Chance
from application.ports.presence import Presences
from application.recovery import Recovery
from application.scheduler import Scheduler
from application.waiting import Contact, Patience, first_of
from application.worker_options import WorkerOptions
from domain.presence import WorkerPresence

POLLS_A_PRESENCE: Final = 3
"""A worker that is idle sends under 60 statements a minute: four at each poll, and a fifth at every third."""

LAST_MOMENT: Final = timedelta(milliseconds=250)
"""What is kept of the grace for leaving the process itself."""


@dataclass(slots=True, kw_only=True)
class Worker:
    """One worker, from its arrival to its end. All of it but the handlers and the beats runs on one loop."""

    worker: WorkerPresence
    executor: Executor
    heartbeat: Heartbeat
    recovery: Recovery
    scheduler: Scheduler
    presences: Presences
    contact: Contact
    chance: Chance
    clock: Clock
    journal: Journal
    options: WorkerOptions
    _stopping: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _patience: Patience = field(init=False)
    _polls: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._patience = Patience(self.clock, self.chance)

    def stop(self) -> None:
        """Leave in good order, within the grace. May be said any number of times, on the worker's loop."""
        self._stopping.set()

    def hurry(self) -> None:
        """Wait for no handler any more: what they work on is handed back as it is."""
        self.executor.hurry()

    async def run(self) -> None:
        """Work until told to stop, or until done. Being cancelled counts as being told to stop.

        Waits for a store that is away, but for one case: raises `StoreUnavailable` where it is to work
        only once and never reached the store. Raises `StoreUnfit` as soon as that shows.
        """
        life = asyncio.create_task(self._live())
        try:
            await asyncio.shield(life)
        except asyncio.CancelledError:
            self.stop()
            while not life.done():
                await asyncio.wait([life])
            raise

    async def _live(self) -> None:
        arriving = asyncio.create_task(self._arrive())
        await first_of(self._stopping.wait(), asyncio.wait([arriving]))
        if not arriving.done():
            arriving.cancel()
            return
        arriving.result()
        self.heartbeat.begin()
        polling = asyncio.create_task(self._poll_until_done())
        try:
            await first_of(self._stopping.wait(), asyncio.wait([polling]))
        finally:
            self.stop()
            await first_of(self._leave(polling), self.clock.sleep(self.options.grace - LAST_MOMENT))
            self.journal.record(WorkerLeft(self.worker.name, running=self.executor.claiming.running))
            self.executor.abandon()
            self.heartbeat.end()
        if polling.done():
            polling.result()

    async def _arrive(self) -> None:
        """Make contact with the store. A worker that works only once does not wait for it."""
        if self.options.once:
            await self._be_seen()
        else:
            while not await self._answered("presence", self._be_seen):
                await self._patience.wait()
            self._patience.restored()
        self.journal.record(WorkerArrived(self.worker))

    async def _poll_until_done(self) -> None:
        poll_at = self.clock.monotonic()
        while not self._stopping.is_set():
            healthy = True
            if self.clock.monotonic() >= poll_at:
                poll_at = self.clock.monotonic() + self.options.poll
                healthy = await self._look_after_the_queue()
            healthy = await self._answered("claim", self.executor.fill) and healthy
            if healthy and self._is_done():
                return
            poll_at = await self._pause(poll_at, healthy=healthy)

    async def _pause(self, poll_at: timedelta, *, healthy: bool) -> timedelta:
        """Wait for the next poll, or for something that cannot wait for it. Answers when that poll is."""
        claiming = self.executor.claiming
        waits = [self._stopping.wait()]
        if healthy:
            self._patience.restored()
            if not claiming.unheard.is_set():
                waits.append(claiming.unheard.wait())
            may_be_done = self.options.once or self.options.max_items is not None
            if may_be_done and not self.executor.idle.is_set():
                waits.append(self.executor.idle.wait())
        else:
            poll_at = self.clock.monotonic() + self._patience.after_failure()
        await first_of(self.clock.sleep(poll_at - self.clock.monotonic()), *waits)
        return poll_at

    def _is_done(self) -> bool:
        """Whether a worker that is to leave by itself has nothing left to do."""
        if not self.executor.idle.is_set() or self.executor.claiming.unheard.is_set():
            return False
        if self.executor.claiming.is_over:
            return True
        # An item whose worker died is ready work too, as soon as its lease has been seen expired twice.
        return self.options.once and not self.recovery.is_watching

    async def _look_after_the_queue(self) -> bool:
        """What every worker does at its poll, each part whatever became of the others."""
        parts = {"recovery": self.recovery.recover, "schedule": self.scheduler.schedule}
        self._polls += 1
        if self._polls % POLLS_A_PRESENCE == 0:
            parts["presence"] = self._be_seen
        healthy = True
        for part, act in parts.items():
            if not self._stopping.is_set():
                healthy = await self._answered(part, act) and healthy
        return healthy

    async def _answered(self, part: str, act: Callable[[], Awaitable[None]]) -> bool:
        """Do a part of the work. Whether the store answered; what else went wrong is noted, and no more."""
        try:
            await act()
        except StoreUnavailable as error:
            self.contact.lost()
            self.journal.record(MachineFault(part, error))
            return False
        except StoreUnfit:
            # Nothing gets better by asking it again.
            raise
        except Exception as error:  # noqa: BLE001 -- one failing part never stops the others
            self.journal.record(MachineFault(part, error))
        return True

    async def _leave(self, polling: asyncio.Task[None]) -> None:
        self.executor.depart()
        running = self.executor.claiming.running
        self.journal.record(WorkerLeaving(self.worker.name, running=running))
        await asyncio.wait([polling])
        while not await self._answered("release", self.executor.gone):
            if not self.executor.claiming.unheard.is_set():
                break
            await self._patience.wait()
        await self._answered("presence", lambda: self.presences.gone(self.worker.name))

    async def _be_seen(self) -> None:
        await self.presences.seen(self.worker)
