"""What requests and twins do to each other, with every order forced."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.tables import storage_configs
from application.ports.work_store import WorkStore
from domain.ids import StorageConfigId
from domain.outcomes import (
    Coalesced,
    Created,
    Recorded,
    Recovered,
    UnknownScope,
)
from domain.work_item import Queued, Status
from tests.support.builders import (
    CRAWL,
    LEASE,
    a_claim,
    a_new_item,
    a_release,
    claimed,
)
from tests.support.house import House
from tests.support.interleaving import never_committed, uncommitted, waits
from tests.support.moves import Arranged, sighted
from tests.support.reading import stored


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    """The other one's."""
    database = Database(postgres_url)
    yield database
    await database.close()


@pytest.fixture
def store(house: House) -> WorkStore:
    return house.store


async def test_a_release_makes_way_for_a_twin_that_is_being_enqueued(
    house: House, database: Database
) -> None:
    item = await Arranged(house, dedup_key="key").running()
    twin = a_new_item(dedup_key="key")

    async with uncommitted(database) as other:
        assert await other.insert(twin) == Created(twin.id)
        release = asyncio.create_task(house.store.finish(item.id, a_release(item.attempt)))
        await waits(release, database)

    assert await release == Recorded()
    assert (await stored(house.store, item.id)).status is Status.CANCELLED
    assert (await stored(house.store, twin.id)).requested_at == item.requested_at


async def test_a_release_goes_back_when_the_twin_is_rolled_back(house: House, database: Database) -> None:
    item = await Arranged(house, dedup_key="key").running()

    async with never_committed(database) as other:
        await other.insert(a_new_item(dedup_key="key"))
        release = asyncio.create_task(house.store.finish(item.id, a_release(item.attempt)))
        await waits(release, database)

    assert await release == Recorded()
    assert (await stored(house.store, item.id)).state == Queued()


async def test_a_stall_makes_way_for_a_twin_that_is_being_enqueued(house: House, database: Database) -> None:
    item = await Arranged(house, dedup_key="key").running()
    await house.age(LEASE)
    sighting = await sighted(house, item.id)
    twin = a_new_item(dedup_key="key")

    async with uncommitted(database) as other:
        await other.insert(twin)
        recovery = asyncio.create_task(house.store.recover(sighting, stall_limit=3))
        await waits(recovery, database)

    assert isinstance(await recovery, Recovered)
    assert (await stored(house.store, item.id)).status is Status.CANCELLED
    assert (await stored(house.store, twin.id)).stalls == 1


async def test_an_enqueue_that_meets_a_claim_of_its_twin_makes_a_new_item(
    house: House, database: Database
) -> None:
    item = await Arranged(house, dedup_key="key").queued()
    new = a_new_item(dedup_key="key")

    async with house.transactions.begin() as transaction:
        async with uncommitted(database) as other:
            await other.claim(a_claim())
            enqueue = asyncio.create_task(house.store.insert(new, within=transaction))
            await waits(enqueue, database)
        assert await enqueue == Created(new.id)

    assert (await stored(house.store, item.id)).status is Status.RUNNING


async def test_an_enqueue_waits_for_the_twin_that_somebody_is_enqueuing(
    store: WorkStore, database: Database
) -> None:
    first, second = a_new_item(dedup_key="key"), a_new_item(dedup_key="key")

    async with uncommitted(database) as other:
        await other.insert(first)
        enqueue = asyncio.create_task(store.insert(second))
        await waits(enqueue, database)

    assert await enqueue == Coalesced(first.id)


async def test_two_enqueues_hold_one_waiting_item_back_together(house: House, database: Database) -> None:
    item = await Arranged(house, dedup_key="key").queued()

    async with uncommitted(database) as other, house.transactions.begin() as transaction:
        assert await other.insert(a_new_item(dedup_key="key")) == Coalesced(item.id)
        assert await house.store.insert(a_new_item(dedup_key="key"), within=transaction) == Coalesced(item.id)
        assert await house.store.claim(a_claim()) == ()

    assert (await claimed(house.store)).id == item.id


async def test_an_enqueue_for_a_config_that_is_being_deleted_is_told_so(
    house: House, database: Database
) -> None:
    config = await house.a_config()
    new = a_new_item(kind=CRAWL, storage_config_id=config)

    async with uncommitted(database) as other:
        await other.run(sa.delete(storage_configs).where(storage_configs.c.id == config))
        enqueue = asyncio.create_task(house.store.insert(new))
        await waits(enqueue, database)

    assert await enqueue == UnknownScope()


async def test_an_unknown_scope_does_not_spoil_the_transaction_around_it(house: House) -> None:
    kept = a_new_item()

    async with house.transactions.begin() as transaction:
        lost = a_new_item(kind=CRAWL, storage_config_id=StorageConfigId(kept.id))
        assert await house.store.insert(lost, within=transaction) == UnknownScope()
        assert await house.store.insert(kept, within=transaction) == Created(kept.id)

    assert (await stored(house.store, kept.id)).status is Status.QUEUED


async def test_a_deadlock_is_settled_without_telling_anybody(house: House, database: Database) -> None:
    item = await Arranged(house, dedup_key="key").running()
    twin = await Arranged(house, dedup_key="key").queued()

    async with uncommitted(database) as other:
        await other.run(sa.text(f"SELECT FROM work_items WHERE id = '{twin.id}' FOR UPDATE"))
        # It has its own row by now, and waits for its twin's: the other one has that, and wants this.
        release = asyncio.create_task(house.store.finish(item.id, a_release(item.attempt)))
        await waits(release, database)
        await other.run(sa.text(f"SELECT FROM work_items WHERE id = '{item.id}' FOR UPDATE"))

    assert await release == Recorded()
    assert (await stored(house.store, item.id)).status is Status.CANCELLED
