"""The due check waits for whoever checks the same key (R19). Forced with two connections, not hoped for."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.postgres import PostgresDialect
from adapters.sql.rows import row_of
from adapters.sql.stores import work_store
from adapters.sql.tables import work_items
from application.ports.work_store import WorkStore
from domain.ids import Attempt, DedupKey, JsonText
from domain.outcomes import Created, DueAnswer, NotDue
from domain.progress import NO_PROGRESS
from domain.work_item import LastRun, Succeeded
from tests.support.builders import ADA, a_new_item

INTERVAL: Final = timedelta(hours=4)
A_MOMENT: Final = 0.01
WAITING: Final = sa.text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")


@pytest.fixture
async def store(postgres_url: str) -> AsyncIterator[WorkStore]:
    database = Database(postgres_url)
    yield work_store(database)
    await database.close()


@pytest.fixture
def other(postgres_url: str) -> Iterator[sa.Connection]:
    engine = sa.create_engine(postgres_url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


async def test_a_scheduler_sees_what_came_and_went_while_it_waited(
    store: WorkStore, other: sa.Connection
) -> None:
    PostgresDialect().lock_key(other, DedupKey("key"))
    asking = asyncio.create_task(store.insert_if_due(a_new_item(dedup_key="key"), interval=INTERVAL))
    await waiting_or_done(asking, other)

    queue_run_and_finish(other, key="key")
    other.commit()

    assert await asking == NotDue()


async def test_other_keys_do_not_wait(store: WorkStore, other: sa.Connection) -> None:
    PostgresDialect().lock_key(other, DedupKey("another key"))
    new = a_new_item(dedup_key="key")

    assert await store.insert_if_due(new, interval=INTERVAL) == Created(new.id)


async def waiting_or_done(asking: "asyncio.Task[DueAnswer]", other: sa.Connection) -> None:
    """Wait until the task waits for a lock, or waits for nothing any more."""
    while not asking.done() and other.execute(WAITING).scalar_one() == 0:  # noqa: ASYNC110 -- nobody tells
        await asyncio.sleep(A_MOMENT)


def queue_run_and_finish(other: sa.Connection, *, key: str) -> None:
    """What another scheduler and a worker have done by the time this transaction commits."""
    now: datetime = other.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
    done = Succeeded(finished_at=now, run=LastRun(ADA, now, NO_PROGRESS), result=JsonText("{}"))
    item = replace(a_new_item(dedup_key=key).queued_at(now), attempt=Attempt(1), state=done)
    other.execute(sa.insert(work_items).values(row_of(item)))
