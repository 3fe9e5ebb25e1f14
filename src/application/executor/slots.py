"""The executor: items run in slots, and a slot goes on for as long as there is work."""

import asyncio
from dataclasses import dataclass, field

from application.executor.claiming import Claiming
from application.executor.departure import Departure
from application.executor.finishing import Finishing
from application.executor.running import Runs
from application.executor.verdict import failure_of
from application.heartbeat import Grip, Heartbeat
from application.ports.claims import WorkClaims
from application.ports.clock import Clock
from application.ports.errors import StoreError, StoreUnavailable
from application.ports.journal import AttemptClaimed, AttemptFault, FencedBy, Journal, MachineFault
from application.ports.lanes import Lanes
from application.ports.new_ids import Chance
from application.ports.payload_codec import PayloadCodec
from application.registry import KindRegistry
from application.waiting import Contact
from application.worker_options import WorkerOptions
from domain.events import Fail, Release, RunEnd
from domain.presence import WorkerPresence


@dataclass(slots=True, kw_only=True)
class Executor:
    """Claims, runs and finishes. Whatever happens to it, no attempt of its own is left running (S-3)."""

    claims: WorkClaims
    registry: KindRegistry
    codec: PayloadCodec
    lanes: Lanes
    chance: Chance
    heartbeat: Heartbeat
    contact: Contact
    clock: Clock
    journal: Journal
    worker: WorkerPresence
    options: WorkerOptions
    claiming: Claiming = field(init=False)
    idle: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set while no slot is busy."""
    _departure: Departure = field(default_factory=Departure, init=False)
    _runs: Runs = field(init=False)
    _finishing: Finishing = field(init=False)
    _busy: set[asyncio.Task[None]] = field(default_factory=set, init=False)
    _patience: asyncio.Task[None] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.idle.set()
        self.claiming = Claiming(
            claims=self.claims,
            clock=self.clock,
            journal=self.journal,
            worker=self.worker,
            kinds=self.registry.kinds,
            options=self.options,
        )
        self._runs = Runs(
            registry=self.registry,
            codec=self.codec,
            chance=self.chance,
            lanes=self.lanes,
            clock=self.clock,
            journal=self.journal,
            departure=self._departure,
            options=self.options,
        )
        self._finishing = Finishing(
            claims=self.claims,
            heartbeat=self.heartbeat,
            contact=self.contact,
            chance=self.chance,
            clock=self.clock,
            journal=self.journal,
            options=self.options,
        )

    async def fill(self) -> None:
        """Claim for all free slots in one step, and start what came. Strays are handed back before."""
        if self._departure.begun.is_set():
            return
        if self.claiming.unheard.is_set():
            await self.claiming.hand_back_strays()
        for grip in await self.claiming.claim():
            self._occupy(grip)

    def depart(self) -> None:
        """Take no more work and tell the handlers. They are waited for until their patience is over."""
        self._departure.begun.set()
        self._patience = asyncio.create_task(self._lose_patience())

    def hurry(self) -> None:
        """Wait for handlers no longer, once the worker leaves."""
        self._departure.out_of_time.set()

    async def gone(self) -> None:
        """Wait until every attempt has been finished or handed back.

        Afterwards the store knows of no running attempt of this worker, but for those that it has lost.
        """
        while self._busy:
            await asyncio.wait(self._busy)
        if self._patience is not None:
            self._patience.cancel()
        self._runs.close()
        if self.claiming.has_asked:
            await self.claiming.hand_back_strays()

    def abandon(self) -> None:
        """Write nothing more for whatever could not be finished or handed back in time."""
        for grip in self.claiming.held:
            self.heartbeat.give_up(grip, FencedBy.DEPARTURE)

    async def _lose_patience(self) -> None:
        await self.clock.sleep(self.options.patience_with_handlers)
        self._departure.out_of_time.set()

    def _occupy(self, grip: Grip) -> None:
        self.idle.clear()
        slot = asyncio.create_task(self._slot(grip))
        self._busy.add(slot)
        slot.add_done_callback(lambda slot: self._vacate(slot, grip))

    def _vacate(self, slot: asyncio.Task[None], first: Grip) -> None:
        # A slot that was cancelled before its first step could not say so itself.
        self.claiming.forget(first)
        self._busy.discard(slot)
        if not self._busy:
            self.idle.set()
        if not slot.cancelled() and (error := slot.exception()) is not None:
            self.journal.record(MachineFault("slot", error))

    async def _slot(self, first: Grip) -> None:
        following: tuple[Grip, ...] = (first,)
        while following:
            grip, *others = following
            for other in others:
                self._occupy(other)
            following = await self._work_off(grip)

    async def _work_off(self, grip: Grip) -> tuple[Grip, ...]:
        """Bring one attempt to its end, and say what follows in its slot."""
        item = grip.item
        self.journal.record(AttemptClaimed(item.id, item.kind, item.attempt))
        try:
            return await self._end(grip, await self._run(grip))
        except BaseException as error:
            # Cancelled, or broken, at whichever await: the row must not stay behind as running.
            fault = AttemptFault(item.id, item.kind, item.attempt, part="executor", error=error)
            self.journal.record(fault)
            await self._give_up(grip, error)
            raise
        finally:
            self.claiming.forget(grip)

    async def _run(self, grip: Grip) -> RunEnd:
        # The answer of the claim may have come late: to a worker that leaves, or past its own lease.
        if self._departure.begun.is_set() or not self.heartbeat.still_holds(grip):
            return Release(grip.item.attempt)
        self.heartbeat.hold(grip)
        end = await self._runs.end_of(grip)
        await self.heartbeat.let_go(grip)
        return end

    async def _end(self, grip: Grip, end: RunEnd) -> tuple[Grip, ...]:
        if self.heartbeat.still_holds(grip):
            if not self._departure.begun.is_set() and self.claiming.room(freeing=1):
                try:
                    answer, following = await self.claiming.finish_and_claim(grip, end)
                except StoreError as error:
                    self._finishing.fault(grip, error)
                else:
                    self._finishing.note(grip, end, answer)
                    return following
            await self._finishing.record(grip, end)
        self.claiming.forget(grip)
        return await self._claim_again()

    async def _claim_again(self) -> tuple[Grip, ...]:
        if self._departure.begun.is_set():
            return ()
        try:
            return await self.claiming.claim()
        except StoreError as error:
            if isinstance(error, StoreUnavailable):
                self.contact.lost()
            self.journal.record(MachineFault("claim", error))
            return ()

    async def _give_up(self, grip: Grip, error: BaseException) -> None:
        await self.heartbeat.let_go(grip)
        # A fault of the code would come again with every try, so that the item fails; a cancelled
        # executor is no fault of the item.
        broken = isinstance(error, Exception)
        attempt = grip.item.attempt
        end = Fail(attempt, failure_of(error)) if broken else Release(attempt)
        await self._finishing.record(grip, end)
