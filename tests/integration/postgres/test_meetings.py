"""What two at the same item do to each other, with every order forced."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.tables import storage_configs
from application.ports.work_store import WorkStore
from domain.outcomes import (
    AlreadyFinished,
    CancelledNow,
    CancelRequested,
    Fenced,
    NotExpired,
    Recorded,
    Recovered,
    StopRequested,
    UnknownItem,
)
from domain.work_item import Cancelled, Failed, Queued, Running, Status
from tests.support.builders import (
    BOB,
    CRAWL,
    LEASE,
    a_claim,
    a_failure,
    a_heartbeat,
    a_new_item,
    a_success,
    claimed,
    enqueued,
)
from tests.support.house import House
from tests.support.interleaving import never_committed, uncommitted, waits
from tests.support.moves import Arranged, sighted
from tests.support.reading import state_of, stored


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    """The other one's."""
    database = Database(postgres_url)
    yield database
    await database.close()


@pytest.fixture
def store(house: House) -> WorkStore:
    return house.store


async def test_a_claim_passes_over_what_somebody_else_is_claiming(
    store: WorkStore, database: Database
) -> None:
    first, second = await enqueued(store), await enqueued(store)

    async with uncommitted(database) as other:
        assert [item.id for item in await other.claim(a_claim())] == [first]
        assert [item.id for item in await store.claim(a_claim(by=BOB))] == [second]
        assert await store.claim(a_claim(by=BOB)) == ()


async def test_a_claim_finds_the_free_one_behind_however_many_are_taken(
    store: WorkStore, database: Database
) -> None:
    for _ in range(200):
        await enqueued(store)
    last = await enqueued(store)

    async with uncommitted(database) as other:
        assert len(await other.claim(a_claim(limit=200))) == 200
        assert [item.id for item in await store.claim(a_claim(by=BOB))] == [last]


async def test_a_claim_that_was_rolled_back_never_happened(store: WorkStore, database: Database) -> None:
    item = await enqueued(store)

    async with never_committed(database) as other:
        await other.claim(a_claim())

    again = await claimed(store)
    assert (again.id, again.attempt) == (item, 1)


async def test_a_recovery_does_not_wait_for_a_finish_under_way(house: House, database: Database) -> None:
    item = await Arranged(house).running()
    await house.age(LEASE)
    sighting = await sighted(house, item.id)

    async with uncommitted(database) as other:
        assert await other.finish(item.id, a_success(item.attempt)) == Recorded()
        assert await house.store.recover(sighting, stall_limit=1) == NotExpired()

    after = await stored(house.store, item.id)
    assert (after.status, after.stalls) == (Status.SUCCEEDED, 0)
    assert await house.store.recover(sighting, stall_limit=1) == NotExpired()


async def test_a_finish_that_meets_a_recovery_under_way_is_fenced(house: House, database: Database) -> None:
    item = await Arranged(house).running()
    await house.age(LEASE)
    sighting = await sighted(house, item.id)

    async with uncommitted(database) as other:
        assert isinstance(await other.recover(sighting, stall_limit=3), Recovered)
        finish = asyncio.create_task(house.store.finish(item.id, a_success(item.attempt)))
        await waits(finish, database)

    assert await finish == Fenced()
    after = await stored(house.store, item.id)
    assert (after.state, after.stalls) == (Queued(), 1)


async def test_a_heartbeat_that_meets_a_recovery_under_way_is_fenced(
    house: House, database: Database
) -> None:
    item = await Arranged(house).running()
    await house.age(LEASE)
    sighting = await sighted(house, item.id)

    async with uncommitted(database) as other:
        await other.recover(sighting, stall_limit=3)
        beat = asyncio.create_task(house.store.heartbeat(item.id, a_heartbeat(item.attempt)))
        await waits(beat, database)

    assert await beat == Fenced()


async def test_a_recovery_that_is_rolled_back_lets_the_finish_through(
    house: House, database: Database
) -> None:
    item = await Arranged(house).running()
    await house.age(LEASE)
    sighting = await sighted(house, item.id)

    async with never_committed(database) as other:
        await other.recover(sighting, stall_limit=3)
        finish = asyncio.create_task(house.store.finish(item.id, a_success(item.attempt)))
        await waits(finish, database)

    assert await finish == Recorded()
    assert (await stored(house.store, item.id)).stalls == 0


async def test_a_cancel_that_meets_a_claim_under_way_asks_the_run_to_stop(
    store: WorkStore, database: Database
) -> None:
    item = await enqueued(store)

    async with uncommitted(database) as other:
        await other.claim(a_claim())
        cancel = asyncio.create_task(store.cancel(item))
        await waits(cancel, database)

    answer = await cancel
    assert isinstance(answer, CancelRequested)
    assert (answer.item.id, answer.item.attempt) == (item, 1)
    assert state_of(await stored(store, item), Running).cancel_requested_at is not None


async def test_a_claim_passes_over_what_is_being_cancelled(store: WorkStore, database: Database) -> None:
    item = await enqueued(store)

    async with uncommitted(database) as other:
        assert isinstance(await other.cancel(item), CancelledNow)
        assert await store.claim(a_claim()) == ()

    assert (await stored(store, item)).status is Status.CANCELLED


async def test_a_cancel_that_meets_a_finish_under_way_says_that_it_had_finished(
    house: House, database: Database
) -> None:
    item = await Arranged(house).running()

    async with uncommitted(database) as other:
        await other.finish(item.id, a_success(item.attempt))
        cancel = asyncio.create_task(house.store.cancel(item.id))
        await waits(cancel, database)

    assert await cancel == AlreadyFinished(await stored(house.store, item.id))


async def test_a_failure_that_meets_a_cancel_under_way_ends_cancelled(
    house: House, database: Database
) -> None:
    item = await Arranged(house).running()
    failure = a_failure(item.attempt)

    async with uncommitted(database) as other:
        assert isinstance(await other.cancel(item.id), CancelRequested)
        finish = asyncio.create_task(house.store.finish(item.id, failure))
        await waits(finish, database)

    assert await finish == Recorded()
    assert state_of(await stored(house.store, item.id), Cancelled).left == failure.failure


async def test_a_heartbeat_that_meets_a_cancel_under_way_brings_it_back(
    house: House, database: Database
) -> None:
    item = await Arranged(house).running()

    async with uncommitted(database) as other:
        await other.cancel(item.id)
        beat = asyncio.create_task(house.store.heartbeat(item.id, a_heartbeat(item.attempt)))
        await waits(beat, database)

    assert await beat == StopRequested()


async def test_a_failure_is_not_undone_by_a_cancel_that_was_rolled_back(
    house: House, database: Database
) -> None:
    item = await Arranged(house).running()

    async with never_committed(database) as other:
        await other.cancel(item.id)
        finish = asyncio.create_task(house.store.finish(item.id, a_failure(item.attempt)))
        await waits(finish, database)

    assert await finish == Recorded()
    assert isinstance((await stored(house.store, item.id)).state, Failed)


async def test_a_run_whose_config_is_being_deleted_is_fenced(house: House, database: Database) -> None:
    config = await house.a_config()
    item = await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=config))
    running = await claimed(house.store)

    async with uncommitted(database) as other:
        await other.run(sa.delete(storage_configs).where(storage_configs.c.id == config))
        beat = asyncio.create_task(house.store.heartbeat(item, a_heartbeat(running.attempt)))
        await waits(beat, database)

    assert await beat == Fenced()
    assert await house.store.finish(item, a_success(running.attempt)) == Fenced()
    assert await house.store.cancel(item) == UnknownItem()
