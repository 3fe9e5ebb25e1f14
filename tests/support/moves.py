"""The longer ways of bringing an item into a state: each goes through the ports alone."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from application.ports.expired import ExpiredLease
from domain.events import RunEnd
from domain.ids import WorkerName, WorkItemId
from domain.outcomes import CancelledNow, CancelRequested, Recorded, Recovered
from domain.work_item import Running, WorkItem
from tests.support.builders import (
    ADA,
    LEASE,
    STALL_LIMIT,
    a_failure,
    a_new_item,
    a_release,
    a_retry,
    a_stop,
    a_success,
    claimed,
    enqueued,
)
from tests.support.house import House
from tests.support.reading import state_of, stored

RETRY_WAIT: Final = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Arranged:
    """Brings one item of a house into a state."""

    house: House
    dedup_key: str | None = None

    async def queued(self) -> WorkItem:
        """It waits."""
        return await stored(
            self.house.store, await enqueued(self.house.store, a_new_item(dedup_key=self.dedup_key))
        )

    async def running(self, *, by: WorkerName = ADA) -> WorkItem:
        """Its first attempt is under way."""
        item = await self.queued()
        running = await claimed(self.house.store, by=by)
        assert running.id == item.id
        return running

    async def asked_to_stop(self) -> WorkItem:
        """It runs, and somebody asked for its cancel."""
        return await asked_to_stop(self.house, await self.running())

    async def retrying(self) -> WorkItem:
        """It waits for another try."""
        item = await self.running()
        return await self._ended(item, a_retry(item.attempt, wait=RETRY_WAIT))

    async def released(self) -> WorkItem:
        """It waits again, having been handed back."""
        item = await self.running()
        return await self._ended(item, a_release(item.attempt))

    async def stalled(self) -> WorkItem:
        """It waits again after a stall."""
        return await stalled(self.house, await self.running())

    async def succeeded(self) -> WorkItem:
        """Its work is complete."""
        item = await self.running()
        return await self._ended(item, a_success(item.attempt))

    async def failed(self) -> WorkItem:
        """Its work was given up."""
        item = await self.running()
        return await self._ended(item, a_failure(item.attempt))

    async def stopped(self) -> WorkItem:
        """It was cancelled while it ran."""
        item = await self.asked_to_stop()
        return await self._ended(item, a_stop(item.attempt))

    async def cancelled(self) -> WorkItem:
        """It was cancelled before it ran."""
        item = await self.queued()
        assert isinstance(await self.house.store.cancel(item.id), CancelledNow)
        return await stored(self.house.store, item.id)

    async def _ended(self, item: WorkItem, end: RunEnd) -> WorkItem:
        assert await self.house.store.finish(item.id, end) == Recorded()
        return await stored(self.house.store, item.id)


async def asked_to_stop(house: House, item: WorkItem) -> WorkItem:
    """The running item, with its cancel requested."""
    assert isinstance(await house.store.cancel(item.id), CancelRequested)
    return await stored(house.store, item.id)


async def sighted(house: House, item: WorkItemId) -> ExpiredLease:
    """Its lease, seen to have run out."""
    return next(seen for seen in await house.store.expired(limit=1_000) if seen.id == item)


async def stalled(house: House, item: WorkItem, *, stall_limit: int = STALL_LIMIT) -> WorkItem:
    """The running item after its lease ran out and it was recovered."""
    await house.age(LEASE)
    sighting = await sighted(house, item.id)
    answer = await house.store.recover(sighting, stall_limit=stall_limit)
    assert isinstance(answer, Recovered)
    return answer.item


def sighting_of(item: WorkItem) -> ExpiredLease:
    """What a sighting of this running item would say."""
    return ExpiredLease(item.id, item.attempt, state_of(item, Running).lease.until)
