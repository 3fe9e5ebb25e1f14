"""The transactions of the memory database, beyond what every store promises."""

import asyncio

import pytest

from adapters.memory.database import MemoryDatabase
from adapters.memory.work_store import MemoryWorkStore
from application.ports.errors import StoreRefused
from domain.outcomes import Created, UnknownItem
from tests.support.builders import a_new_item, claimed, enqueued
from tests.support.clock import ManualClock, settled


@pytest.fixture
def database() -> MemoryDatabase:
    return MemoryDatabase(ManualClock())


async def test_nobody_joins_a_transaction_that_has_ended(database: MemoryDatabase) -> None:
    async with database.begin() as transaction:
        pass

    with pytest.raises(StoreRefused):
        await MemoryWorkStore(database).insert(a_new_item(), within=transaction)


async def test_nobody_joins_a_transaction_of_another_store(database: MemoryDatabase) -> None:
    other = MemoryWorkStore(MemoryDatabase(ManualClock()))

    async with database.begin() as transaction:
        with pytest.raises(StoreRefused):
            await other.insert(a_new_item(), within=transaction)


async def test_a_reader_never_sees_half_a_transaction(database: MemoryDatabase) -> None:
    store, new = MemoryWorkStore(database), a_new_item()

    async with database.begin() as transaction:
        await store.insert(new, within=transaction)
        reading = asyncio.create_task(store.get(new.id))
        await settled()
        assert not reading.done()

    assert (await reading) == new.queued_at(database.now())


async def test_a_cancelled_transaction_is_rolled_back(database: MemoryDatabase) -> None:
    store, new = MemoryWorkStore(database), a_new_item()

    async def enqueue_and_hang() -> None:
        async with database.begin() as transaction:
            await store.insert(new, within=transaction)
            await asyncio.Event().wait()

    hanging = asyncio.create_task(enqueue_and_hang())
    await settled()
    hanging.cancel()
    with pytest.raises(asyncio.CancelledError):
        await hanging

    assert await store.get(new.id) == UnknownItem()


async def test_a_rollback_brings_back_what_was_changed_and_deleted(database: MemoryDatabase) -> None:
    store = MemoryWorkStore(database)
    changed, deleted = await enqueued(store), await enqueued(store)
    table: dict[str, int] = database.table()
    table["kept"] = 1

    with pytest.raises(ZeroDivisionError):  # noqa: PT012 -- leaving the block is the point
        async with database.begin():
            table.update(kept=2, new=3)
            database.forget_item(deleted)
            raise ZeroDivisionError

    assert table == {"kept": 1}
    assert (await claimed(store)).id == changed
    assert (await claimed(store)).id == deleted


async def test_periodic_work_needs_a_key(database: MemoryDatabase) -> None:
    with pytest.raises(ValueError, match="dedup key"):
        await MemoryWorkStore(database).insert_if_due(a_new_item(), interval=ManualClock().monotonic())


async def test_a_wait_for_the_lock_can_be_cancelled_without_harm(database: MemoryDatabase) -> None:
    store, new = MemoryWorkStore(database), a_new_item()

    async with database.begin():
        waiting = asyncio.create_task(store.insert(new))
        await settled()
        waiting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await store.insert(new) == Created(new.id)
