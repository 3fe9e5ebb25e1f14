"""Connections to migrate on, one at a time however many processes start at once, and to look on."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

import psycopg
import sqlalchemy as sa

from adapters.sql.dialect import Opening
from adapters.sql.postgres import PostgresDialect
from adapters.sql.sqlite import SqliteDialect

PATIENCE: Final = timedelta(seconds=5)
"""How long one try waits for a lock. Who queues longer for a table holds up everybody who comes after."""

ADVISORY_KEY: Final = 0x616E69636872
"""The lock's number on PostgreSQL: "anichr" in ASCII."""


@contextmanager
def migrating(url: sa.URL) -> Iterator[sa.Connection]:
    """A connection in an open transaction that nobody else migrates beside.

    Commits at the end of the block; an exception or a killed process leaves the schema as it was.
    """
    exclusive = _on_sqlite if is_file(url) else _on_postgres
    with exclusive(url) as connection:
        yield connection


@contextmanager
def looking(url: sa.URL) -> Iterator[sa.Connection]:
    """A connection that changes nothing."""
    # SQLite's own settings would be written into the file.
    engine = (
        sa.create_engine(url, poolclass=sa.NullPool)
        if is_file(url)
        else PostgresDialect().engine(url, _opening())
    )
    with engine.connect() as connection:
        yield connection


def is_file(url: sa.URL) -> bool:
    """Whether the database is a file, and no server."""
    return url.get_backend_name() == "sqlite"


def is_locked_out(error: BaseException) -> bool:
    """Whether somebody else had what it needed for all of `PATIENCE`, so that it may try again."""
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    if isinstance(cause, sqlite3.OperationalError):
        return cause.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    return isinstance(cause, psycopg.errors.LockNotAvailable | psycopg.errors.DeadlockDetected)


@contextmanager
def _on_postgres(url: sa.URL) -> Iterator[sa.Connection]:
    engine = PostgresDialect().engine(url, _opening())
    # The lock has a connection of its own, so that a migration may commit on the way (an index that is
    # built concurrently must). It belongs to a transaction, not to a session: so a pooler cannot lose it.
    with engine.begin() as keeper, engine.begin() as connection:
        _be_patient(keeper)
        # Some servers end transactions that idle for long, as this one does while the migration runs.
        keeper.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        keeper.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_KEY)))
        _be_patient(connection)
        yield connection


def _be_patient(connection: sa.Connection) -> None:
    milliseconds = str(PATIENCE // timedelta(milliseconds=1))
    setting = sa.text("SELECT set_config('lock_timeout', :milliseconds, true)")
    connection.execute(setting.bindparams(milliseconds=milliseconds))


@contextmanager
def _on_sqlite(url: sa.URL) -> Iterator[sa.Connection]:
    dialect = SqliteDialect()
    engine = dialect.engine(url, _opening())
    sa.event.listen(engine, "connect", _keep_referring_rows)
    with engine.connect() as connection, dialect.begin(connection):
        yield connection


def _keep_referring_rows(driver: sqlite3.Connection, _: object) -> None:
    # A table is altered by writing it anew and dropping the old one, which must not take what refers to it along.
    driver.execute("PRAGMA foreign_keys = OFF")


def _opening() -> Opening:
    # Nothing of a session is relied on, so that it makes no difference whether there is a pooler.
    return Opening(name="anichron migrate", deadline=PATIENCE, behind_pooler=True)
