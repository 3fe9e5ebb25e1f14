"""The database, as the ports of this adapter use it: synchronous work, awaited."""

import asyncio
import copy
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Final, TypeVar

import sqlalchemy as sa
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from adapters.sql.call import Call
from adapters.sql.dialect import Dialect, Opening
from adapters.sql.postgres import PostgresDialect
from adapters.sql.retrying import retried
from adapters.sql.session import Line, Session
from adapters.sql.sqlite import SqliteDialect
from adapters.sql.threads import ConnectionThreads
from adapters.sql.transaction import SqlTransaction, joining
from application.ports.errors import StoreError, StoreRefused, StoreUnavailable, StoreUnfit
from application.ports.transactions import Transaction

T = TypeVar("T")

DEADLINE: Final = timedelta(seconds=10)
AGAIN: Final = wait_random_exponential(multiplier=0.25, max=2)
"""How long to wait before a call to a store that is away is repeated."""

DIALECTS: Final[dict[str, Callable[[], Dialect]]] = {
    "postgresql": PostgresDialect,
    "sqlite": SqliteDialect,
}


class Database:
    """One database through threads and connections of its own; for callers on any number of event loops.

    * A call answers within `deadline`, or raises `StoreUnavailable`: then it may have been applied.
    * A call that has begun is not cancelled: the cancelled task waits for its end, and ends then (R14).
    * Work runs on a thread and may be run again from its start when another transaction got in its way, so it
      must do nothing but use its connection.
    * Errors arrive as those of `application.ports.errors`.
    """

    def __init__(
        self,
        url: str,
        *,
        name: str = "anichron",
        size: int = 5,
        deadline: timedelta = DEADLINE,
        behind_pooler: bool = False,
    ) -> None:
        """Connect when first used. Raises `StoreUnfit` for a place where the data would not be safe."""
        parsed = sa.make_url(url)
        self.dialect: Final = _dialect_of(parsed)
        self._deadline = deadline
        self._outage = timedelta(0)
        opening = Opening(name=name, deadline=deadline, behind_pooler=behind_pooler)
        self._engine = self.dialect.engine(parsed, opening)
        self._line = Line()
        # Where only one can write, waiting writers must not keep the threads from readers.
        self._readers = self._threads(size, name)
        self._writers = self._threads(1, f"{name}-writer") if self.dialect.single_writer else self._readers

    def outlasting(self, outage: timedelta) -> "Database":
        """The same database for callers who would rather wait than fail, such as handlers of work (S-19).

        Its calls are repeated while the store is away, for as long as `outage`; but not those of a transaction,
        whose beginning would be lost. A caller that is cancelled between two tries waits no longer.
        """
        patient = copy.copy(self)
        patient._outage = outage  # noqa: SLF001 -- it is one of these
        return patient

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Run the work with each statement a transaction of its own."""
        return await self._done(self._readers, lambda session: _in_autocommit(session, work))

    async def autocommit(self, work: Callable[[sa.Connection], T]) -> T:
        """The same for statements that may write."""
        return await self._done(self._writers, lambda session: _in_autocommit(session, work))

    async def write(self, work: Callable[[sa.Connection], T], *, within: Transaction | None = None) -> T:
        """Run the work in one transaction of its own; or as one step of `within`, undone if it fails."""
        if within is not None:
            return await self._answer(self._joined(within), joining(work))
        return await self._done(self._writers, lambda session: _in_transaction(session, work))

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[Transaction]:
        """Open a transaction; see `application.ports.transactions`."""
        transaction = SqlTransaction(self)
        self._writers.give(transaction)
        try:
            await self._answer(transaction, Session.begin)
            transaction.is_open = True
            try:
                yield transaction
            except BaseException:
                transaction.is_open = False
                # What cannot be rolled back any more, the database rolls back by itself.
                with suppress(StoreError):
                    await self._answer(transaction, Session.settle)
                raise
            transaction.is_open = False
            await self._answer(transaction, Session.commit)
        finally:
            transaction.end()

    async def close(self) -> None:
        """Let what has begun come to its end, and close every connection."""
        threads = {*self._readers.close(), *self._writers.close()}
        for thread in threads:
            await asyncio.to_thread(thread.join, self._deadline.total_seconds())
        self._engine.dispose()

    async def _done(self, threads: ConnectionThreads, work: Callable[[Session], T]) -> T:
        if not self._outage:
            return await self._done_once(threads, work)
        tries = AsyncRetrying(
            retry=retry_if_exception_type(StoreUnavailable),
            stop=stop_after_delay(self._outage),
            wait=AGAIN,
            reraise=True,
        )
        return await tries(self._done_once, threads, work)

    async def _done_once(self, threads: ConnectionThreads, work: Callable[[Session], T]) -> T:
        call = Call(work, self._deadline)
        threads.give(call)
        return await call.answer()

    async def _answer(self, transaction: SqlTransaction, work: Callable[[Session], T]) -> T:
        call = Call(work, self._deadline)
        transaction.give(call)
        return await call.answer()

    def _joined(self, transaction: Transaction) -> SqlTransaction:
        if isinstance(transaction, SqlTransaction) and transaction.owner is self and transaction.is_open:
            return transaction
        raise StoreRefused("The transaction has ended, or belongs to another store.")

    def _threads(self, size: int, name: str) -> ConnectionThreads:
        return ConnectionThreads(size, lambda: Session(self._engine, self.dialect, self._line), name=name)


def _dialect_of(url: sa.URL) -> Dialect:
    backend = url.get_backend_name()
    if backend not in DIALECTS:
        raise StoreUnfit(f"No store for {backend}: it must be one of {', '.join(DIALECTS)}.")
    return DIALECTS[backend]()


def _in_autocommit(session: Session, work: Callable[[sa.Connection], T]) -> T:
    def once() -> T:
        connection = session.autocommit()
        answer = work(connection)
        if connection.in_transaction():
            connection.commit()
        return answer

    return retried(once, session.settle)


def _in_transaction(session: Session, work: Callable[[sa.Connection], T]) -> T:
    def once() -> T:
        answer = work(session.begin())
        session.commit()
        return answer

    return retried(once, session.settle)
