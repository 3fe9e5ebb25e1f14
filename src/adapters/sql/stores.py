"""The queue's store for whichever database it is."""

from adapters.sql.engine import Database
from adapters.sql.postgres_store import PostgresWorkStore
from adapters.sql.sqlite_store import SqliteWorkStore
from adapters.sql.work_store import SqlWorkStore


def work_store(database: Database) -> SqlWorkStore:
    """All faces of the queue on this database."""
    return SqliteWorkStore(database) if database.dialect.single_writer else PostgresWorkStore(database)
