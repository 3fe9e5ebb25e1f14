"""The one connection of one thread."""

from contextlib import suppress

import sqlalchemy as sa

from adapters.sql.dialect import Cord, Dialect
from application.ports.errors import StoreUnavailable


class Line:
    """What the sessions of one database know of the way to it.

    A line that went dead under one of them is dead for all: each opens another connection before it asks
    anything more, rather than wait for an answer that cannot come.
    """

    def __init__(self) -> None:
        """Be alive."""
        self.times_dead = 0


class Session:
    """Opened when it is needed, and replaced once it is broken; but never within a transaction.

    Only `cut` may be called from other threads.
    """

    def __init__(self, engine: sa.Engine, dialect: Dialect, line: Line) -> None:
        """Open nothing yet."""
        self._engine = engine
        self._line = line
        self._times_dead = 0
        self._dialect = dialect
        self._connection: sa.Connection | None = None
        self._cord: Cord | None = None
        self._cut = False
        self._transaction: sa.RootTransaction | None = None

    def open(self) -> sa.Connection:
        """The connection, fit for use as far as anybody can tell without asking the server."""
        if self._transaction is not None:
            return self._within_transaction()
        is_stale = self._times_dead != self._line.times_dead
        if self._connection is not None and (is_stale or self._is_useless(self._connection)):
            self.close()
        if self._connection is None:
            self._times_dead = self._line.times_dead
            self._connection = self._engine.connect()
            self._cord = self._dialect.cord(self._connection)
        return self._connection

    def autocommit(self) -> sa.Connection:
        """The connection, each statement a transaction of its own."""
        connection = self._opened()
        self._dialect.autocommit(connection)
        return connection

    def begin(self) -> sa.Connection:
        """The connection, in a transaction that stays open until `commit` or `settle`."""
        connection = self._opened()
        self._transaction = self._dialect.begin(connection)
        return connection

    def commit(self) -> None:
        """Keep what the transaction did."""
        connection = self.open()
        assert self._transaction is not None  # noqa: S101 -- whoever commits has begun
        self._transaction.commit()
        self._transaction = None
        self._end(connection)

    def settle(self) -> None:
        """Leave nothing open: undo a transaction that was not committed, and let go of a broken connection."""
        if self._connection is None:
            return
        self._transaction = None
        try:
            self._end(self._connection)
            is_useless = self._is_useless(self._connection)
        except Exception:  # noqa: BLE001 -- whatever it was: such a connection is of no more use
            is_useless = True
        if is_useless:
            self.close()

    def cut(self) -> None:
        """Bring the thread back from whatever it waits for; the connection is lost by that."""
        self._cut = True
        self._line.times_dead += 1
        cord = self._cord
        if cord is not None:
            cord.pull()

    def close(self) -> None:
        """Let go of the connection; the next `open` makes another."""
        connection, self._connection, self._transaction = self._connection, None, None
        if self._cord is not None:
            self._cord.close()
            self._cord = None
        self._cut = False
        if connection is not None:
            with suppress(Exception):
                connection.invalidate()
            with suppress(Exception):
                connection.close()

    def _opened(self) -> sa.Connection:
        # Looked at when the call began: once is enough.
        return self.open() if self._connection is None else self._connection

    def _within_transaction(self) -> sa.Connection:
        # Another connection would run the rest of the transaction without its beginning.
        if self._connection is None or self._is_useless(self._connection):
            raise StoreUnavailable("The transaction's connection was lost.")
        return self._connection

    def _is_useless(self, connection: sa.Connection) -> bool:
        return self._cut or connection.invalidated or self._dialect.is_lost(connection)

    @staticmethod
    def _end(connection: sa.Connection) -> None:
        if connection.in_transaction():
            connection.rollback()
