from datetime import timedelta

import pytest

from application.ports.errors import StoreUnavailable
from application.ports.journal import AttemptRecovered
from application.recovery import BATCH, Recovery
from application.waiting import Contact
from application.worker_options import WorkerOptions
from domain.ids import WorkItemId
from domain.work_item import Failed, Status
from tests.support.builders import BOB, a_claim, a_heartbeat, claimed
from tests.support.reading import state_of
from tests.support.workers import Workshop

OPTIONS = WorkerOptions(heartbeat=timedelta(seconds=2), stall_limit=3)
PROBES = a_claim(kinds=frozenset({"probe"}), by=BOB)  # type: ignore[arg-type]


class Rescue:
    """A recovery over a store with items whose worker has died."""

    def __init__(self) -> None:
        self.shop = Workshop()
        self.contact = Contact(self.shop.clock)
        self.recovery = Recovery(self.shop.store, self.contact, self.shop.clock, self.shop.journal, OPTIONS)

    async def a_dead_item(self) -> WorkItemId:
        """An item whose lease has run out just now."""
        item = await self.shop.a_probe()
        await claimed(self.shop.store, PROBES)
        self.shop.clock.advance(PROBES.lease_for)
        return item

    async def look(self, *, after: float) -> None:
        """One round, some seconds later."""
        self.shop.clock.advance(timedelta(seconds=after))
        await self.recovery.recover()

    def is_watching(self) -> bool:
        return self.recovery.is_watching

    async def status(self, item: WorkItemId) -> Status:
        return (await self.shop.look_at(item)).status


@pytest.fixture
async def rescue() -> Rescue:
    """In touch with its store for long enough."""
    rescue = Rescue()
    await rescue.look(after=0)
    await rescue.look(after=6)
    return rescue


async def test_an_item_is_recovered_at_the_second_sighting(rescue: Rescue) -> None:
    item = await rescue.a_dead_item()

    await rescue.look(after=0)
    assert await rescue.status(item) is Status.RUNNING
    assert rescue.is_watching()
    await rescue.look(after=5)

    assert await rescue.status(item) is Status.QUEUED
    assert (await rescue.shop.look_at(item)).stalls == 1
    assert not rescue.is_watching()
    found = await rescue.shop.look_at(item)
    assert rescue.shop.journal.entries == [
        AttemptRecovered(item, found.kind, found.attempt, status=Status.QUEUED)
    ]


async def test_two_sightings_less_than_two_heartbeats_apart_are_not_enough(rescue: Rescue) -> None:
    item = await rescue.a_dead_item()

    await rescue.look(after=0)
    await rescue.look(after=3.9)
    assert await rescue.status(item) is Status.RUNNING
    await rescue.look(after=0.1)

    assert await rescue.status(item) is Status.QUEUED


async def test_a_step_of_the_stores_clock_fences_nobody_who_beats(rescue: Rescue) -> None:
    await rescue.shop.a_probe()
    alive = await claimed(rescue.shop.store, PROBES)

    for _ in range(5):
        # The clock steps over the lease between two beats, again and again.
        rescue.shop.clock.advance(timedelta(seconds=120))
        await rescue.recovery.recover()
        await rescue.shop.store.heartbeat(alive.id, a_heartbeat(alive.attempt))
        await rescue.recovery.recover()

    assert await rescue.status(alive.id) is Status.RUNNING
    assert (await rescue.shop.look_at(alive.id)).stalls == 0


async def test_nothing_is_recovered_in_the_first_beats_after_the_first_contact() -> None:
    rescue = Rescue()
    item = await rescue.a_dead_item()

    for _ in range(3):
        await rescue.look(after=1.9)
    assert await rescue.status(item) is Status.RUNNING
    await rescue.look(after=2.2)

    assert await rescue.status(item) is Status.QUEUED


async def test_nothing_is_recovered_in_the_first_beats_after_a_reconnect(rescue: Rescue) -> None:
    item = await rescue.a_dead_item()
    await rescue.look(after=0)

    rescue.contact.lost()
    await rescue.look(after=5)
    await rescue.look(after=5)
    assert await rescue.status(item) is Status.RUNNING
    await rescue.look(after=1)

    assert await rescue.status(item) is Status.QUEUED


async def test_at_the_stall_limit_the_item_fails(rescue: Rescue) -> None:
    item = await rescue.a_dead_item()
    for _ in range(2):
        await rescue.look(after=0)
        await rescue.look(after=5)
        await claimed(rescue.shop.store, PROBES)
        rescue.shop.clock.advance(PROBES.lease_for)
    await rescue.look(after=0)
    await rescue.look(after=5)

    failed = state_of(await rescue.shop.look_at(item), Failed)
    assert failed.failure.code == "stalled"
    assert failed.failure.text == "Its lease ran out 3 times; last held by worker-bob."


async def test_a_row_that_cannot_be_recovered_stops_no_other(rescue: Rescue) -> None:
    bad, good = await rescue.a_dead_item(), await rescue.a_dead_item()
    rescue.shop.line.refuses.add(bad)

    await rescue.look(after=0)
    await rescue.look(after=5)

    assert await rescue.status(bad) is Status.RUNNING
    assert await rescue.status(good) is Status.QUEUED
    assert not rescue.is_watching()


async def test_a_batch_full_of_bad_rows_hides_no_good_one(rescue: Rescue) -> None:
    bad = [await rescue.shop.a_probe() for _ in range(BATCH)]
    for _ in bad:
        await claimed(rescue.shop.store, PROBES)
    rescue.shop.clock.advance(timedelta(seconds=1))
    good = await rescue.a_dead_item()
    rescue.shop.line.refuses.update(bad)

    for _ in range(4):
        await rescue.look(after=5)

    assert await rescue.status(bad[0]) is Status.RUNNING
    assert await rescue.status(good) is Status.QUEUED


async def test_a_store_that_is_away_is_told_to_the_worker(rescue: Rescue) -> None:
    rescue.shop.line.is_away = True

    with pytest.raises(StoreUnavailable):
        await rescue.recovery.recover()
