"""Keeps the leases of running items, and notices when one is lost.

The heartbeat lives on a lane with a store connection of its own, so that no handler and no control loop
can hold it up (R10). It shares a `Grip` for each running item with the control loop. There is no lock:
each field of a grip has one writer, and is read again after whatever it may have crossed with.
"""

import asyncio
from datetime import timedelta

from application.handling import CancelToken, ProgressSink, StopReason
from application.ports.clock import Clock
from application.ports.journal import AttemptFault, AttemptFenced, FencedBy, Journal
from application.ports.lanes import Errand, Lane
from application.ports.leases import WorkLeases
from application.worker_options import WorkerOptions
from domain.events import Heartbeat as Beat
from domain.outcomes import Fenced, HeartbeatAnswer, LeaseExtended, StopRequested
from domain.work_item import WorkItem


class Grip:
    """One attempt that this worker holds, and all that its run, its handler and its beats share.

    `until` is on the monotonic clock and counts from before the claim or beat was sent, so the store's
    lease cannot have run out before (R9). `lost` is set on the loop that made the grip.
    """

    __slots__ = ("_home", "cancel", "item", "landed", "let_go", "lost", "lost_by", "progress", "until")

    def __init__(self, item: WorkItem, *, until: timedelta) -> None:
        self.item = item
        self.until = until
        self.progress = ProgressSink()
        self.cancel = CancelToken()
        self.let_go = False
        self.lost_by: FencedBy | None = None
        self.lost = asyncio.Event()
        self._home = asyncio.get_running_loop()
        self.landed = asyncio.Event()
        self.landed.set()

    def lose(self, by: FencedBy) -> None:
        """Write nothing for this attempt from now on, and tell its handler and whoever waits for that."""
        self.lost_by = by
        self.cancel.request(StopReason.FENCED)
        self._home.call_soon_threadsafe(self.lost.set)


class Heartbeat:
    """Beats for every grip that is held, and watches the clock for each."""

    def __init__(
        self, leases: WorkLeases, lane: Lane, clock: Clock, journal: Journal, options: WorkerOptions
    ) -> None:
        self._leases = leases
        self._lane = lane
        self._clock = clock
        self._journal = journal
        self._every = options.heartbeat
        self._lease = options.lease
        self._errands: tuple[Errand[None], ...] = ()
        # Replaced as a whole, by the control loop alone: the beating thread sees one state or the next.
        self._held: tuple[Grip, ...] = ()

    def begin(self) -> None:
        """Start beating and watching, until `end`."""
        self._errands = (self._lane.start(self._beat_for_ever), self._lane.start(self._watch_for_ever))

    def end(self) -> None:
        """Stop, and let the lane go."""
        for errand in self._errands:
            errand.cancel()
        self._lane.close()

    def hold(self, grip: Grip) -> None:
        """Beat for this one from now on."""
        self._held = (*self._held, grip)

    async def let_go(self, grip: Grip) -> None:
        """Stop beating for this one. Afterwards no beat of it is under way, and none follows.

        That comes before the finishing write: a beat sent after it finds no running row, and would
        report a run that ended well as fenced.
        """
        grip.let_go = True
        self._held = tuple(held for held in self._held if held is not grip)
        if not grip.landed.is_set():
            await self._lane.start(grip.landed.wait).end()

    def still_holds(self, grip: Grip) -> bool:
        """Whether this worker may write for the attempt. Past its time it is lost, from now on."""
        if self._clock.monotonic() >= grip.until:
            self.give_up(grip, FencedBy.WATCHDOG)
        return grip.lost_by is None

    def give_up(self, grip: Grip, by: FencedBy) -> None:
        """Write nothing more for the attempt; its lease runs out by itself."""
        if grip.lost_by is None:
            grip.lose(by)
            item = grip.item
            self._journal.record(AttemptFenced(item.id, item.kind, item.attempt, by=by))

    async def renew(self, grip: Grip) -> None:
        """One more beat for an attempt that was let go but cannot be finished yet.

        Only a good answer counts. `Fenced` may mean that the finishing write was applied and its answer
        lost: repeating that write will tell.
        """
        if self.still_holds(grip):
            await self._lane.start(lambda: self._renew(grip)).end()

    async def _renew(self, grip: Grip) -> None:
        sent_at = self._clock.monotonic()
        if self.still_holds(grip) and isinstance(await self._ask(grip), LeaseExtended | StopRequested):
            grip.until = sent_at + self._lease

    async def _beat_for_ever(self) -> None:
        due_at = self._clock.monotonic()
        while True:
            # Beats that were missed while the host stood still are not made up for.
            due_at = max(due_at + self._every, self._clock.monotonic())
            await self._clock.sleep(due_at - self._clock.monotonic())
            await asyncio.gather(*map(self._beat, self._held))

    async def _beat(self, grip: Grip) -> None:
        # The order matters: `landed` is cleared before `let_go` is read, and the other side sets `let_go`
        # before it reads `landed`. So either this beat is not sent, or it is waited for.
        grip.landed.clear()
        try:
            sent_at = self._clock.monotonic()
            if not grip.let_go and self.still_holds(grip):
                self._take(grip, await self._ask(grip), sent_at)
        finally:
            grip.landed.set()

    async def _ask(self, grip: Grip) -> HeartbeatAnswer | None:
        """The store's answer; None where it gave none, which says nothing about the lease."""
        beat = Beat(attempt=grip.item.attempt, lease_for=self._lease, progress=grip.progress.latest)
        try:
            return await self._leases.heartbeat(grip.item.id, beat)
        except Exception as error:  # noqa: BLE001 -- whatever it was, the next beat is another chance
            item = grip.item
            self._journal.record(
                AttemptFault(item.id, item.kind, item.attempt, part="heartbeat", error=error)
            )
            return None

    def _take(self, grip: Grip, answer: HeartbeatAnswer | None, sent_at: timedelta) -> None:
        match answer:
            case LeaseExtended():
                grip.until = sent_at + self._lease
            case StopRequested():
                grip.until = sent_at + self._lease
                grip.cancel.request(StopReason.CANCEL_REQUESTED)
            case Fenced():
                self.give_up(grip, FencedBy.STORE)
            case None:
                pass

    async def _watch_for_ever(self) -> None:
        """Fence what cannot be held for sure any more, however long a beat is under way."""
        while True:
            now = self._clock.monotonic()
            kept = [grip for grip in self._held if self.still_holds(grip)]
            nearest = min((grip.until for grip in kept), default=now + self._every)
            await self._clock.sleep(min(nearest - now, self._every))
