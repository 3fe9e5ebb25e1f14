"""One migration at a time, however many processes start at once."""

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
import sqlalchemy as sa

PATIENCE_SECONDS: Final = 5
"""How long one try to get the lock takes, and so how often somebody who waits says so."""

ADVISORY_KEY: Final = 0x616E69636872
"""The lock's number on PostgreSQL: "anichr" in ASCII."""

log = logging.getLogger(__name__)


@contextmanager
def migrating(url: sa.URL) -> Iterator[sa.Connection]:
    """A connection in an open transaction that nobody else migrates beside.

    Commits at the end of the block; an exception or a killed process leaves the schema as it was.
    """
    exclusive = _on_postgresql if url.get_backend_name() == "postgresql" else _on_sqlite
    with exclusive(url) as connection:
        yield connection


@contextmanager
def _on_postgresql(url: sa.URL) -> Iterator[sa.Connection]:
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    # The lock has a connection of its own, so that a migration may commit on the way (an index that is
    # built concurrently must). It belongs to a transaction, not to a session: so a pooler cannot lose it.
    with (
        engine.connect() as keeper,
        _insist(lambda: _begin_with_advisory_lock(keeper)),
        engine.begin() as connection,
    ):
        yield connection


def _begin_with_advisory_lock(keeper: sa.Connection) -> sa.RootTransaction:
    transaction = keeper.begin()
    try:
        keeper.exec_driver_sql(f"SET LOCAL lock_timeout = '{PATIENCE_SECONDS}s'")
        # Some servers end transactions that idle for long, as this one does while the migration runs.
        keeper.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        keeper.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_KEY)))
    except BaseException:
        transaction.rollback()
        raise
    return transaction


@contextmanager
def _on_sqlite(url: sa.URL) -> Iterator[sa.Connection]:
    engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args={"timeout": PATIENCE_SECONDS})
    sa.event.listen(engine, "connect", _leave_transactions_to_us)
    sa.event.listen(engine, "begin", _begin_immediate)
    with engine.connect() as connection, _insist(connection.begin):
        yield connection


def _leave_transactions_to_us(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None


def _begin_immediate(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _insist(begin: Callable[[], sa.RootTransaction]) -> sa.RootTransaction:
    while True:
        try:
            return begin()
        except sa.exc.OperationalError as error:
            if not _is_taken(error.orig):
                raise
            log.info("another process has the database locked; waiting before the migration")


def _is_taken(error: BaseException | None) -> bool:
    if isinstance(error, sqlite3.OperationalError):
        return error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return isinstance(error, psycopg.errors.LockNotAvailable)
