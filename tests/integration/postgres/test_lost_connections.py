"""A line to PostgreSQL that is dead, cut or slow: calls come back in time, and what they did is whole (R10, R14)."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import timedelta
from typing import Final

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.stores import work_store
from application.ports.errors import StoreUnavailable
from domain.ids import Attempt
from domain.outcomes import Fenced, Recorded
from domain.work_item import Status
from tests.support.builders import a_claim, a_heartbeat, a_new_item, a_success, an_id, claimed, enqueued
from tests.support.house import House
from tests.support.interleaving import uncommitted, waits
from tests.support.moves import Arranged
from tests.support.proxy import Proxy, a_proxy
from tests.support.reading import everything, stored

FIRST: Final = Attempt(1)
DEADLINE: Final = timedelta(seconds=1)
SLACK: Final = timedelta(seconds=5)
"""What a busy machine may add."""

KILL: Final = sa.text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture
async def proxy(postgres_url: str) -> AsyncIterator[Proxy]:
    async with a_proxy(postgres_url) as proxy:
        yield proxy


@pytest.fixture
async def database(proxy: Proxy) -> AsyncIterator[Database]:
    """At the other end of a bad line, and in a hurry."""
    database = Database(proxy.url, deadline=DEADLINE)
    yield database
    await database.close()


@pytest.fixture
async def good_line(postgres_url: str) -> AsyncIterator[Database]:
    database = Database(postgres_url)
    yield database
    await database.close()


async def test_a_black_hole_is_left_at_the_deadline_and_the_next_call_connects_anew(
    database: Database, proxy: Proxy
) -> None:
    store = work_store(database)
    assert await store.heartbeat(an_id(), a_heartbeat(FIRST)) == Fenced()

    proxy.swallow()
    started = time.monotonic()
    with pytest.raises(StoreUnavailable, match=r"did not answer within 1 s"):
        await store.heartbeat(an_id(), a_heartbeat(FIRST))

    assert DEADLINE <= timedelta(seconds=time.monotonic() - started) < DEADLINE + SLACK
    proxy.pass_on()
    assert await store.heartbeat(an_id(), a_heartbeat(FIRST)) == Fenced()


async def test_what_one_call_learns_of_a_black_hole_saves_the_others_from_it(
    database: Database, proxy: Proxy
) -> None:
    store = work_store(database)
    async with database.begin() as transaction:
        await store.insert(a_new_item(), within=transaction)
        assert await store.heartbeat(an_id(), a_heartbeat(FIRST)) == Fenced()

    proxy.swallow()
    with pytest.raises(StoreUnavailable):
        await store.heartbeat(an_id(), a_heartbeat(FIRST))
    proxy.pass_on()

    async with database.begin() as transaction:
        await store.insert(a_new_item(), within=transaction)
        assert await store.heartbeat(an_id(), a_heartbeat(FIRST)) == Fenced()


async def test_a_black_hole_is_left_at_the_deadline_while_connecting_too(
    database: Database, proxy: Proxy
) -> None:
    proxy.swallow()

    started = time.monotonic()
    with pytest.raises(StoreUnavailable, match=r"did not answer within 1 s"):
        await work_store(database).get(an_id())

    assert timedelta(seconds=time.monotonic() - started) < DEADLINE + SLACK


async def test_a_transaction_in_a_black_hole_fails_and_frees_its_thread(
    database: Database, proxy: Proxy, house: House
) -> None:
    store = work_store(database)

    async def enqueue_twice() -> None:
        async with database.begin() as transaction:
            await store.insert(a_new_item(), within=transaction)
            proxy.swallow()
            with suppress(StoreUnavailable):
                await store.insert(a_new_item(), within=transaction)
            # The connection is gone, and with it what was done before: nothing of the rest may be done without that.
            proxy.pass_on()
            with pytest.raises(StoreUnavailable):
                await store.insert(a_new_item(), within=transaction)

    with pytest.raises(StoreUnavailable):
        await enqueue_twice()

    assert await everything(house.store) == {}
    assert [await store.claim(a_claim()) for _ in range(6)] == [()] * 6


async def test_connections_that_the_server_closed_at_rest_are_replaced_unnoticed(
    good_line: Database, house: House
) -> None:
    item = await enqueued(house.store)
    assert (await claimed(house.store)).id == item

    await good_line.read(lambda connection: connection.execute(KILL).all())
    await hung_up(good_line)

    assert await house.store.finish(item, a_success(FIRST)) == Recorded()


async def test_a_call_that_the_server_ends_in_the_middle_is_not_applied_and_may_be_repeated(
    good_line: Database, house: House
) -> None:
    item = await Arranged(house).running()

    async with uncommitted(good_line) as other:
        await other.cancel(item.id)
        finish = asyncio.create_task(house.store.finish(item.id, a_success(item.attempt)))
        await waits(finish, good_line)
        kill = sa.text(f"{KILL} AND wait_event_type = 'Lock'")
        await good_line.read(lambda connection: connection.execute(kill).all())
        with pytest.raises(StoreUnavailable):
            await finish

    assert (await stored(house.store, item.id)).status is Status.RUNNING
    assert await house.store.finish(item.id, a_success(item.attempt)) == Recorded()


async def test_a_cancelled_task_ends_when_its_call_has_ended(good_line: Database, house: House) -> None:
    item = await Arranged(house).running()

    async with uncommitted(good_line) as other:
        await other.cancel(item.id)
        finish = asyncio.create_task(house.store.finish(item.id, a_success(item.attempt)))
        await waits(finish, good_line)
        finish.cancel()
        await waits(finish, good_line)

    with pytest.raises(asyncio.CancelledError):
        await finish
    assert (await stored(house.store, item.id)).status is Status.SUCCEEDED


async def hung_up(database: Database) -> None:
    """Return once the server has no other connection to the database."""
    others = sa.text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
    while await database.read(lambda connection: connection.execute(others).scalar_one()) > 1:
        pass


async def test_who_would_rather_wait_than_fail_outlasts_lost_connections(
    database: Database, proxy: Proxy, house: House
) -> None:
    item = await Arranged(house).running()
    patient = work_store(database.outlasting(timedelta(seconds=30)))
    proxy.swallow()

    finish = asyncio.create_task(patient.finish(item.id, a_success(item.attempt)))
    with pytest.raises(StoreUnavailable):
        await work_store(database).get(item.id)
    proxy.pass_on()

    assert await finish == Recorded()


async def test_even_the_patient_fail_in_the_end(database: Database, proxy: Proxy) -> None:
    patient = work_store(database.outlasting(DEADLINE * 2))
    proxy.swallow()

    started = time.monotonic()
    with pytest.raises(StoreUnavailable, match=r"did not answer within 1 s"):
        await patient.get(an_id())

    assert timedelta(seconds=time.monotonic() - started) >= DEADLINE * 2


async def test_the_patient_can_be_cancelled_between_two_tries(database: Database, proxy: Proxy) -> None:
    patient = work_store(database.outlasting(timedelta(hours=1)))
    proxy.swallow()
    asked = asyncio.create_task(patient.get(an_id()))
    with pytest.raises(StoreUnavailable):
        await work_store(database).get(an_id())

    asked.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asked
