"""SQLite, in a file on this machine's own disk."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from adapters.sql.dialect import Cord, Opening, as_text
from adapters.sql.types import SQLITE_INSTANT, Instant
from application.ports.errors import StoreUnfit

OLDEST_SQLITE: Final = (3, 40, 0)
"""The oldest that is tested. The claim needs JSON (3.38), inserts and deletes need RETURNING (3.35)."""

MOUNTS: Final = Path("/proc/self/mounts")

NETWORK_FILE_SYSTEMS: Final = frozenset(
    {"9p", "afs", "ceph", "cifs", "glusterfs", "nfs", "nfs4", "smb3", "smbfs"}
)
LOCAL_FUSE: Final = frozenset({"fuse.fuse-overlayfs"})
"""What looks like a network, but is the disk of a container."""


class SqliteDialect:
    """One writer, no row locks, and a clock with milliseconds that stands still within a statement."""

    single_writer = True
    now = sa.func.strftime(SQLITE_INSTANT, "now", type_=Instant())
    as_of = now
    clock = sa.select(now)

    def later(self, instant: sa.ColumnElement[datetime], by: timedelta) -> sa.ColumnElement[datetime]:
        seconds = f"{by.total_seconds():+.3f} seconds"
        return sa.func.strftime(SQLITE_INSTANT, instant, seconds, type_=Instant())

    def each(self, texts: Sequence[str]) -> sa.TableValuedAlias:
        return sa.func.json_each(json.dumps(list(texts))).table_valued(sa.column("value", sa.Text))

    def is_among(self, column: sa.ColumnElement[str], texts: Sequence[str]) -> sa.ColumnElement[bool]:
        return column.in_(sa.select(self.each(texts).c.value))

    def insert(self, table: sa.Table, columns: Sequence[str], values: sa.Select[Any]) -> sa.Insert:
        # Without a WHERE its parser would take ON CONFLICT for the condition of a join.
        return sqlite.insert(table).from_select(columns, values.where(sa.true())).on_conflict_do_nothing()

    def lock_key(self, connection: sa.Connection, name: str) -> None:
        """Nothing to do: whoever writes is alone."""

    def engine(self, url: sa.URL, opening: Opening) -> sa.Engine:
        _refuse_unfit(url)
        engine = sa.create_engine(
            url.set(drivername="sqlite+pysqlite"),
            poolclass=sa.NullPool,
            hide_parameters=True,
            json_serializer=as_text,
            json_deserializer=as_text,
            # The driver would begin transactions by itself, and begin them without the writers' lock.
            connect_args={"timeout": opening.deadline.total_seconds(), "isolation_level": None},
        )
        # Whatever a hand has put into a column of text is read as text.
        engine.dialect.colspecs = {**engine.dialect.colspecs, sa.Text: _AnyText}
        sa.event.listen(engine, "connect", _settle)
        return engine

    def cord(self, connection: sa.Connection) -> Cord:
        return _InterruptCord(_driver_of(connection))

    def is_lost(self, connection: sa.Connection) -> bool:
        return connection.closed

    def autocommit(self, connection: sa.Connection) -> None:
        """Nothing to do: so it is unless a transaction was begun."""

    def begin(self, connection: sa.Connection) -> sa.RootTransaction:
        transaction = connection.begin()
        # A transaction that reads first and then writes would fail at once if another had written meanwhile (R24).
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        return transaction


class _AnyText(sa.Text):
    """Reads bytes, too: SQLite keeps them in any column, and one such row must not stop the others."""

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any]:  # noqa: ARG002 -- SQLAlchemy calls it so
        return lambda value: as_text(value) if isinstance(value, bytes) else value


class _InterruptCord:
    def __init__(self, driver: sqlite3.Connection) -> None:
        self._driver = driver

    def pull(self) -> None:
        with suppress(sqlite3.Error):
            self._driver.interrupt()

    def close(self) -> None:
        """It has no handle of its own."""


def refuse_network_file_system(file: Path, mounts: str) -> None:
    """Raise `StoreUnfit` if the file lies, or would lie, on a file system that several machines can share.

    The write-ahead log needs memory that all its users share: over a network it corrupts the database.
    """
    kind = file_system_of(file, mounts)
    if kind in NETWORK_FILE_SYSTEMS or (kind.split(".")[0] == "fuse" and kind not in LOCAL_FUSE):
        raise StoreUnfit(
            f"The database file lies on a network file system ({kind}), where SQLite loses data. "
            "Put it on a local disk, or use PostgreSQL."
        )


def file_system_of(file: Path, mounts: str) -> str:
    """The type of the file system that the file lies on, by the table of mounts; empty where that is silent."""
    whole = file.resolve()
    folders = {str(folder) for folder in (whole, *whole.parents)}
    found = (line.split(" ")[1:3] for line in mounts.split("\n") if line)
    holding = [(len(where), kind) for where, kind in found if _unescaped(where) in folders]
    # Of mounts on the same folder the last one is on top.
    return max(reversed(holding), key=lambda found: found[0], default=(0, ""))[1]


def _unescaped(folder: str) -> str:
    return folder.replace(r"\040", " ").replace(r"\011", "\t").replace(r"\012", "\n").replace(r"\134", "\\")


def _refuse_unfit(url: sa.URL) -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreUnfit(f"SQLite {sqlite3.sqlite_version} is too old: 3.40 is the oldest that will do.")
    if url.database in {None, "", ":memory:"}:
        raise StoreUnfit("SQLite needs a file: its connections do not share what is in memory.")
    if MOUNTS.exists():
        refuse_network_file_system(
            Path(str(url.database)), MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
        )


def _settle(driver: sqlite3.Connection, _: object) -> None:
    # The driver would raise at the first text that is not UTF-8, and so hide every other row of the answer.
    driver.text_factory = as_text
    (mode,) = driver.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreUnfit(f"SQLite cannot keep a write-ahead log here (journal mode {mode}).")
    # NORMAL would lose acknowledged work with the power.
    driver.execute("PRAGMA synchronous = FULL")
    driver.execute("PRAGMA foreign_keys = ON")
    driver.execute(f"PRAGMA journal_size_limit = {64 * 1024 * 1024}")


def _driver_of(connection: sa.Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)  # noqa: S101 -- which driver it is was decided at the opening
    return driver
