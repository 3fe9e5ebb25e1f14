"""What becomes of a call whose reply is lost: it was carried out, and may be repeated (R15, R16)."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Final

import pytest

from adapters.sql.engine import Database
from adapters.sql.stores import work_store
from application.ports.claims import Ticket
from application.ports.errors import StoreUnavailable
from application.ports.work_store import WorkStore
from domain.events import RunEnd
from domain.ids import Attempt
from domain.outcomes import AlreadyFinished, Created, LeaseExtended, NotExpired, Recorded
from domain.work_item import Status
from tests.support.builders import (
    ADA,
    LEASE,
    a_claim,
    a_failure,
    a_heartbeat,
    a_new_item,
    a_release,
    a_retry,
    a_stop,
    a_success,
    claimed,
    enqueued,
)
from tests.support.house import House
from tests.support.moves import Arranged, sighted
from tests.support.proxy import Proxy, a_proxy
from tests.support.reading import everything, stored

FIRST: Final = Attempt(1)
A_STATEMENT: Final = b"UPDATE work_items"
A_TRANSACTION: Final = b"COMMIT"

ENDS: Final[dict[RunEnd, tuple[bytes, Status]]] = {
    a_success(FIRST): (A_STATEMENT, Status.SUCCEEDED),
    a_failure(FIRST): (A_STATEMENT, Status.FAILED),
    a_stop(FIRST): (A_STATEMENT, Status.CANCELLED),
    a_retry(FIRST): (A_TRANSACTION, Status.QUEUED),
    a_release(FIRST): (A_TRANSACTION, Status.QUEUED),
}


@pytest.fixture
async def proxy(postgres_url: str) -> AsyncIterator[Proxy]:
    async with a_proxy(postgres_url) as proxy:
        yield proxy


@pytest.fixture
async def database(proxy: Proxy) -> AsyncIterator[Database]:
    """At the other end of a bad line."""
    database = Database(proxy.url)
    yield database
    await database.close()


@pytest.fixture
def store(database: Database) -> WorkStore:
    """The store at the other end of a bad line."""
    return work_store(database)


async def test_an_enqueue_is_repeated_and_stays_one_item(
    house: House, store: WorkStore, proxy: Proxy
) -> None:
    new = a_new_item(dedup_key="key")

    proxy.lose_reply(to=b"INSERT INTO work_items")
    with pytest.raises(StoreUnavailable):
        await store.insert(new)

    assert set(await everything(house.store)) == {new.id}
    assert await store.insert(new) == Created(new.id)
    assert set(await everything(house.store)) == {new.id}


async def test_a_due_enqueue_is_repeated_and_stays_one_item(
    house: House, store: WorkStore, proxy: Proxy
) -> None:
    new = a_new_item(dedup_key="key")

    proxy.lose_reply(to=A_TRANSACTION)
    with pytest.raises(StoreUnavailable):
        await store.insert_if_due(new, interval=timedelta(hours=1))

    assert await store.insert_if_due(new, interval=timedelta(hours=1)) == Created(new.id)
    assert set(await everything(house.store)) == {new.id}


async def test_the_holder_of_a_claim_that_it_never_heard_of_can_find_it(
    house: House, store: WorkStore, proxy: Proxy
) -> None:
    item = await enqueued(house.store)

    proxy.lose_reply(to=A_STATEMENT)
    with pytest.raises(StoreUnavailable):
        await store.claim(a_claim(by=ADA))

    assert await store.held_by(ADA) == (Ticket(item, FIRST),)
    assert await store.finish(item, a_release(FIRST)) == Recorded()
    assert (await stored(house.store, item)).stalls == 0


async def test_a_heartbeat_is_followed_by_the_next(house: House, store: WorkStore, proxy: Proxy) -> None:
    item = await Arranged(house).running()

    proxy.lose_reply(to=A_STATEMENT)
    with pytest.raises(StoreUnavailable):
        await store.heartbeat(item.id, a_heartbeat(FIRST))

    assert await store.heartbeat(item.id, a_heartbeat(FIRST)) == LeaseExtended()
    assert (await stored(house.store, item.id)).revision == item.revision + 2


@pytest.mark.parametrize("end", ENDS, ids=lambda end: type(end).__name__)
async def test_an_end_is_repeated_and_recorded_once(
    house: House, store: WorkStore, proxy: Proxy, end: RunEnd
) -> None:
    request, status = ENDS[end]
    item = await Arranged(house).running()

    proxy.lose_reply(to=request)
    with pytest.raises(StoreUnavailable):
        await store.finish(item.id, end)

    after = await stored(house.store, item.id)
    assert after.status is status
    assert await store.finish(item.id, end) == Recorded()
    assert await stored(house.store, item.id) == after
    assert len(await house.store.attempts(item.id)) == 1


async def test_an_end_with_a_claim_is_repeated_without_a_claim(
    house: House, store: WorkStore, proxy: Proxy
) -> None:
    item = await Arranged(house).running()
    following = await enqueued(house.store)

    proxy.lose_reply(to=A_STATEMENT)
    with pytest.raises(StoreUnavailable):
        await store.finish_and_claim(item.id, a_success(FIRST), a_claim(by=ADA))

    assert await store.finish(item.id, a_success(FIRST)) == Recorded()
    assert await store.held_by(ADA) == (Ticket(following, FIRST),)


async def test_a_cancel_is_repeated_and_told_what_became_of_it(
    house: House, store: WorkStore, proxy: Proxy
) -> None:
    item = await enqueued(house.store)

    proxy.lose_reply(to=A_TRANSACTION)
    with pytest.raises(StoreUnavailable):
        await store.cancel(item)

    assert await store.cancel(item) == AlreadyFinished(await stored(house.store, item))
    assert (await stored(house.store, item)).status is Status.CANCELLED


async def test_a_recovery_is_repeated_and_counts_one_stall(
    house: House, store: WorkStore, proxy: Proxy
) -> None:
    item = await Arranged(house).running()
    await house.age(LEASE)
    sighting = await sighted(house, item.id)

    proxy.lose_reply(to=A_TRANSACTION)
    with pytest.raises(StoreUnavailable):
        await store.recover(sighting, stall_limit=3)

    assert await store.recover(sighting, stall_limit=3) == NotExpired()
    assert (await stored(house.store, item.id)).stalls == 1


async def test_a_transaction_whose_commit_was_not_heard_may_have_happened(
    house: House, database: Database, proxy: Proxy
) -> None:
    new = a_new_item()

    async def enqueue_in_a_transaction() -> None:
        async with database.begin() as transaction:
            await work_store(database).insert(new, within=transaction)
            proxy.lose_reply(to=A_TRANSACTION)

    with pytest.raises(StoreUnavailable):
        await enqueue_in_a_transaction()

    assert (await claimed(house.store)).id == new.id
