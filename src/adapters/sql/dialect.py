"""What differs between the databases, so that nothing else has to ask which one it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

import sqlalchemy as sa


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How the connections of one `Database` are to be opened.

    `behind_pooler`: a server-side pool in transaction mode (PgBouncer) lies between, so nothing may be
    kept in a session: no prepared statements, no settings.
    """

    name: str
    deadline: timedelta
    behind_pooler: bool = False


class Cord(Protocol):
    """Pulled from another thread, it brings a connection's stuck thread back."""

    def pull(self) -> None:
        """End whatever the connection is doing; whether that was applied is unknown."""
        ...

    def close(self) -> None:
        """The connection is gone."""
        ...


class Dialect(Protocol):
    """One kind of database. `now` sets instants, `as_of` is compared with them (R8)."""

    @property
    def single_writer(self) -> bool:
        """Whether only one transaction can write at a time."""
        ...

    @property
    def now(self) -> sa.ColumnElement[datetime]:
        """The database's clock as it runs, also within a transaction."""
        ...

    @property
    def as_of(self) -> sa.ColumnElement[datetime]:
        """The database's clock, standing still within a statement: an index can be searched by it."""
        ...

    @property
    def clock(self) -> sa.Select[datetime]:
        """Asks what time it is now."""
        ...

    def later(self, instant: sa.ColumnElement[datetime], by: timedelta) -> sa.ColumnElement[datetime]:
        """The instant that lies `by` after another; before it where `by` is negative."""
        ...

    def each(self, texts: Sequence[str]) -> sa.TableValuedAlias:
        """A table with one row for each text, in its column `value`."""
        ...

    def is_among(self, column: sa.ColumnElement[str], texts: Sequence[str]) -> sa.ColumnElement[bool]:
        """Whether the column holds one of these texts, however many: its index is searched for each of them."""
        ...

    def insert(self, table: sa.Table, columns: Sequence[str], values: sa.Select[Any]) -> sa.Insert:
        """Insert the selected row, unless a unique index holds such a one already."""
        ...

    def lock_key(self, connection: sa.Connection, name: str) -> None:
        """Wait until nobody else holds the lock of this name, and hold it until the transaction ends (R19)."""
        ...

    def engine(self, url: sa.URL, opening: Opening) -> sa.Engine:
        """Make connections to the database; every checkout is a new one."""
        ...

    def cord(self, connection: sa.Connection) -> Cord:
        """The cord of a connection that was just opened."""
        ...

    def is_lost(self, connection: sa.Connection) -> bool:
        """Whether the connection is known to be of no use any more. Asks nobody."""
        ...

    def autocommit(self, connection: sa.Connection) -> None:
        """Make each statement a transaction of its own."""
        ...

    def begin(self, connection: sa.Connection) -> sa.RootTransaction:
        """Begin a transaction that may write."""
        ...


def as_text(document: str | bytes) -> str:
    """JSON as the store keeps it: the codec above has encoded it, and will decode it.

    SQLite keeps any bytes that a hand has put there. They are for the codec to refuse: a row that cannot even be
    read would stand in the way of every other.
    """
    return document.decode(errors="replace") if isinstance(document, bytes) else document
