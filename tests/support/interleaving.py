"""Two at the same rows, each step when the test says so: one holds its verb's transaction open, the other meets it."""

from asyncio import Task
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar

import sqlalchemy as sa

from adapters.sql import postgres_store
from adapters.sql.engine import Database
from adapters.sql.postgres import driver_of
from adapters.sql.postgres_statements import HotEnd
from adapters.sql.postgres_store import PostgresWorkStore
from application.ports.claims import ClaimRequest
from application.ports.expired import ExpiredLease
from application.ports.transactions import Transaction
from domain.events import ExpireLease
from domain.ids import WorkItemId
from domain.outcomes import CancelAnswer, EnqueueAnswer, FinishAnswer, RecoveryAnswer
from domain.work_item import NewWorkItem, WorkItem

T = TypeVar("T")

WAITING: Final = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


class Uncommitted:
    """Verbs that have happened, but are not committed before the block around them ends."""

    def __init__(self, database: Database, transaction: Transaction) -> None:
        self._database = database
        self._store = PostgresWorkStore(database)
        self._transaction = transaction

    async def claim(self, request: ClaimRequest) -> tuple[WorkItem, ...]:
        return await self._run(lambda connection: postgres_store._claim(driver_of(connection), request))

    async def finish(self, item: WorkItemId, end: HotEnd) -> FinishAnswer:
        return await self._run(lambda connection: postgres_store._finish(connection, item, end))

    async def recover(self, sighting: ExpiredLease, *, stall_limit: int) -> RecoveryAnswer:
        event = ExpireLease(stall_limit)
        return await self._run(lambda connection: self._store._recover(connection, sighting, event))

    async def cancel(self, item: WorkItemId) -> CancelAnswer:
        return await self._run(lambda connection: self._store._cancel(connection, item))

    async def insert(self, new: NewWorkItem) -> EnqueueAnswer:
        return await self._store.insert(new, within=self._transaction)

    async def run(self, statement: sa.Executable) -> None:
        await self._run(lambda connection: connection.execute(statement).close())

    async def _run(self, work: Callable[[sa.Connection], T]) -> T:
        return await self._database.write(work, within=self._transaction)


@asynccontextmanager
async def uncommitted(database: Database) -> AsyncIterator[Uncommitted]:
    """Commits at the end of the block."""
    async with database.begin() as transaction:
        yield Uncommitted(database, transaction)


class _RollBack(Exception):  # noqa: N818 -- reads as the order it is
    pass


@asynccontextmanager
async def never_committed(database: Database) -> AsyncIterator[Uncommitted]:
    """Rolls back at the end of the block."""
    with suppress(_RollBack):
        async with uncommitted(database) as verbs:
            yield verbs
            raise _RollBack


async def waits(task: "Task[Any]", database: Database) -> None:
    """Return once somebody waits for a lock; asserts that the task is not done by then."""
    while not task.done() and await database.read(lambda seen: seen.execute(WAITING).scalar_one()) == 0:
        pass
    assert not task.done(), "it did not wait"
