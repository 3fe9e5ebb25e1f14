"""The queue's store for whichever database it is."""

from adapters.sql.engine import Database
from adapters.sql.postgres_feed import PostgresChangeFeed
from adapters.sql.postgres_store import PostgresWorkStore
from adapters.sql.sqlite_feed import SqliteChangeFeed
from adapters.sql.sqlite_store import SqliteWorkStore
from adapters.sql.work_store import SqlWorkStore
from application.ports.change_feed import ChangeFeed


def work_store(database: Database) -> SqlWorkStore:
    """All faces of the queue on this database."""
    return SqliteWorkStore(database) if database.dialect.single_writer else PostgresWorkStore(database)


def change_feed(database: Database) -> ChangeFeed:
    """What changes in the queue on this database."""
    return SqliteChangeFeed(database) if database.dialect.single_writer else PostgresChangeFeed(database)
