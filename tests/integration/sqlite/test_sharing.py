"""One SQLite file and everybody who wants it (R24, R25, R26)."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.sqlite_store import HEAD
from adapters.sql.stores import work_store
from application.ports.errors import StoreRefused, StoreUnavailable
from domain.outcomes import Created
from tests.support.builders import a_claim, a_new_item, claimed, enqueued

DEADLINE: Final = timedelta(seconds=1)
SLACK: Final = timedelta(seconds=5)

ALIASES: Final = {"ready", "later", "item"}
"""What the claim's statement calls the table of items."""

FOREVER: Final = sa.text(
    "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number) SELECT max(n) FROM number"
)


@pytest.fixture
async def database(sqlite_url: str) -> AsyncIterator[Database]:
    database = Database(sqlite_url, deadline=DEADLINE)
    yield database
    await database.close()


@pytest.fixture
def stranger(sqlite_url: str) -> Iterator[sqlite3.Connection]:
    """Another process's connection to the same file."""
    with closing(sqlite3.connect(str(sa.make_url(sqlite_url).database), isolation_level=None)) as connection:
        yield connection


@pytest.mark.parametrize(
    ("setting", "value"),
    # 2 is FULL: what was acknowledged survives a loss of power.
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 1000)],
)
async def test_every_connection_is_a_safe_one(database: Database, setting: str, value: object) -> None:
    pragma = sa.text(f"PRAGMA {setting}")

    answers = [
        await ask(lambda connection: connection.execute(pragma).scalar_one())
        for ask in (database.read, database.write)
    ]

    assert answers == [value, value]


async def test_a_writer_that_somebody_keeps_waiting_gives_up_at_its_deadline(
    database: Database, stranger: sqlite3.Connection
) -> None:
    new = a_new_item()
    stranger.execute("BEGIN IMMEDIATE")

    started = time.monotonic()
    with pytest.raises(StoreUnavailable):
        await work_store(database).insert(new)

    assert timedelta(seconds=time.monotonic() - started) < DEADLINE + SLACK
    stranger.rollback()
    assert await work_store(database).insert(new) == Created(new.id)


async def test_readers_and_idle_polls_do_not_wait_for_a_writer(
    database: Database, stranger: sqlite3.Connection
) -> None:
    stranger.execute("BEGIN IMMEDIATE")

    assert await work_store(database).claim(a_claim()) == ()
    assert (await work_store(database).counts()).by_kind == {}


async def test_waiting_writers_keep_neither_readers_nor_the_open_transaction_waiting(
    database: Database,
) -> None:
    store = work_store(database)

    async with database.begin() as transaction:
        writers = [asyncio.create_task(store.insert(a_new_item())) for _ in range(20)]
        await asyncio.sleep(0)
        assert (await store.counts()).by_kind == {}
        assert isinstance(await store.insert(a_new_item(), within=transaction), Created)

    assert {type(answer) for answer in await asyncio.gather(*writers)} == {Created}


async def test_a_reader_sees_nothing_of_an_open_transaction(database: Database) -> None:
    store = work_store(database)

    async with database.begin() as transaction:
        await store.insert(a_new_item(), within=transaction)
        assert await store.claim(a_claim()) == ()

    await claimed(store)


async def test_a_statement_that_never_ends_is_interrupted_at_the_deadline(database: Database) -> None:
    started = time.monotonic()
    with pytest.raises(StoreUnavailable, match=r"did not answer within 1 s"):
        await database.read(lambda connection: connection.execute(FOREVER).scalar_one())

    assert timedelta(seconds=time.monotonic() - started) < DEADLINE + SLACK
    assert await database.read(lambda connection: connection.execute(sa.select(1)).scalar_one()) == 1


async def test_an_interrupted_transaction_is_undone_whole(database: Database) -> None:
    store = work_store(database)
    new = a_new_item()

    async def enqueue_and_think_for_ever() -> None:
        async with database.begin() as transaction:
            await store.insert(new, within=transaction)
            await database.write(
                lambda connection: connection.execute(FOREVER).scalar_one(), within=transaction
            )

    with pytest.raises(StoreUnavailable):
        await enqueue_and_think_for_ever()

    assert await store.insert(new) == Created(new.id)
    assert (await claimed(store)).revision == 2


async def test_a_folder_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'nowhere' / 'queue.sqlite3'}")

    with pytest.raises(StoreUnavailable, match="unable to open database file"):
        await work_store(database).counts()
    await database.close()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_memory_is_refused_since_connections_do_not_share_it(url: str) -> None:
    with pytest.raises(StoreRefused, match="needs a file"):
        Database(url)


@pytest.mark.parametrize("analysed", [False, True])
@pytest.mark.parametrize("served", ["", "WHERE user_id = 'me' AND is_active"])
async def test_a_claim_searches_indexes_and_scans_no_items(
    database: Database, served: str, *, analysed: bool
) -> None:
    for _ in range(20):
        await enqueued(work_store(database))
    if analysed:
        await database.autocommit(lambda connection: connection.execute(sa.text("ANALYZE")).close())

    explain = sa.text(f"EXPLAIN QUERY PLAN {HEAD.format(served=served)}").bindparams(kinds="[]")
    rows = await database.read(lambda connection: connection.execute(explain).all())

    of_items = {" ".join(row.detail.split()[:5]) for row in rows if row.detail.split()[1] in ALIASES}
    assert of_items == {
        "SEARCH ready USING INDEX ix_work_items_ready",
        "SEARCH later USING INDEX ix_work_items_later",
        "SEARCH item USING INDEX sqlite_autoindex_work_items_1",
    }
