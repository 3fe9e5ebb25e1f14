"""PostgreSQL, through psycopg."""

import os
import select
import socket
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

import psycopg
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from adapters.sql.dialect import Cord, Opening, as_text
from adapters.sql.types import Instant
from application.ports.errors import StoreUnfit

OLDEST_POSTGRES: Final = 15

LOCK_TIMEOUT: Final = timedelta(seconds=5)
"""How long a statement waits behind a stranger's lock."""

IDLE_IN_TRANSACTION: Final = timedelta(seconds=60)
"""How long the locks of a client that went silent in mid-transaction are kept."""

CONNECT_TIMEOUT: Final = timedelta(seconds=5)
DUE_KEYS: Final = 0x647565
"""The first half of the advisory locks' numbers: "due" in ASCII. The second is the hash of what is locked."""

PLANNING: Final = {
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_sort": "off",
    "enable_incremental_sort": "off",
    "jit": "off",
}
"""How statements are planned: each is written for one index, in whose order it asks for its rows.

So their plans must be those whatever the statistics say, which are those of an empty queue when a backlog has just
come in; and then they need not be planned anew for each call, which costs more than to run them.
"""


class PostgresDialect:
    """Many writers, row locks, and a clock with microseconds."""

    single_writer = False
    now = sa.func.clock_timestamp(type_=Instant())
    as_of = sa.func.statement_timestamp(type_=Instant())
    clock = sa.select(now)

    def later(self, instant: sa.ColumnElement[datetime], by: timedelta) -> sa.ColumnElement[datetime]:
        return sa.type_coerce(instant + sa.literal(by, sa.Interval()), Instant())

    def each(self, texts: Sequence[str]) -> sa.TableValuedAlias:
        array = sa.literal(list(texts), postgresql.ARRAY(sa.Text))
        return sa.func.unnest(array).table_valued(sa.column("value", sa.Text), name="each").render_derived()

    def is_among(self, column: sa.ColumnElement[str], texts: Sequence[str]) -> sa.ColumnElement[bool]:
        # Not a join: where it takes the table for a small one, it would read all of it.
        return column == sa.any_(sa.literal(list(texts), postgresql.ARRAY(sa.Text)))

    def insert(self, table: sa.Table, columns: Sequence[str], values: sa.Select[Any]) -> sa.Insert:
        return postgresql.insert(table).from_select(columns, values).on_conflict_do_nothing()

    def lock_key(self, connection: sa.Connection, name: str) -> None:
        lock = sa.func.pg_advisory_xact_lock(DUE_KEYS, sa.func.hashtext(name))
        connection.execute(sa.select(lock))

    def engine(self, url: sa.URL, opening: Opening) -> sa.Engine:
        """Client parameters only: what a pooler between cannot bear is left out when there is one."""
        engine = sa.create_engine(
            url.set(drivername="postgresql+psycopg"),
            poolclass=sa.NullPool,
            hide_parameters=True,
            json_serializer=as_text,
            json_deserializer=as_text,
            connect_args=_connect_args(url, opening),
        )
        sa.event.listen(engine, "connect", _refuse_unfit)
        return engine

    def cord(self, connection: sa.Connection) -> Cord:
        return _SocketCord(driver_of(connection))

    def is_lost(self, connection: sa.Connection) -> bool:
        driver = driver_of(connection)
        return driver.closed or _has_hung_up(driver)

    def autocommit(self, connection: sa.Connection) -> None:
        _set_autocommit(driver_of(connection), wanted=True)

    def begin(self, connection: sa.Connection) -> sa.RootTransaction:
        driver = driver_of(connection)
        _set_autocommit(driver, wanted=False)
        transaction = connection.begin()
        if driver.prepare_threshold is None:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_milliseconds(LOCK_TIMEOUT)}")
        return transaction


class _SocketCord:
    """A second handle of the connection's socket: the first may be closed, and its number reused, at any time.

    No option of the driver bounds a link that swallows everything; a socket that is shut down does (R10).
    """

    def __init__(self, driver: "psycopg.Connection[Any]") -> None:
        self._socket = socket.socket(fileno=os.dup(driver.fileno()))

    def pull(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._socket.close()


def driver_of(connection: sa.Connection) -> "psycopg.Connection[Any]":
    """The psycopg connection below."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)  # noqa: S101 -- which driver it is was decided at the opening
    return driver


def _refuse_unfit(driver: "psycopg.Connection[Any]", _: object) -> None:
    # The server says so as it connects: nothing is asked for this.
    version = driver.info.server_version
    if version // 10_000 < OLDEST_POSTGRES:
        driver.close()
        told = f"{version // 10_000}.{version % 10_000}"
        raise StoreUnfit(f"PostgreSQL {told} is too old: {OLDEST_POSTGRES} is the oldest that will do.")


def _connect_args(url: sa.URL, opening: Opening) -> dict[str, Any]:
    timeout = min(opening.deadline, CONNECT_TIMEOUT)
    common = {
        "application_name": opening.name,
        # A database without an encoding of its own (SQL_ASCII) would hand out bytes for text.
        "client_encoding": "utf8",
        "connect_timeout": max(2, int(timeout.total_seconds())),
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
    }
    if opening.behind_pooler:
        return {**common, "prepare_threshold": None}
    given = url.query.get("options", "")
    options = (given,) if isinstance(given, str) else given
    return {**common, "options": " ".join([*_session_options(opening), *options])}


def _session_options(opening: Opening) -> tuple[str, ...]:
    settings = {
        "lock_timeout": _milliseconds(LOCK_TIMEOUT),
        # Whoever asked has given up by then.
        "statement_timeout": _milliseconds(opening.deadline),
        "idle_in_transaction_session_timeout": _milliseconds(IDLE_IN_TRANSACTION),
        "default_transaction_isolation": r"read\ committed",
        "timezone": "UTC",
        **PLANNING,
    }
    return tuple(f"-c {name}={value}" for name, value in settings.items())


def _milliseconds(duration: timedelta) -> int:
    return duration // timedelta(milliseconds=1)


def _set_autocommit(driver: "psycopg.Connection[Any]", *, wanted: bool) -> None:
    if driver.autocommit is not wanted:
        driver.autocommit = wanted
        driver.isolation_level = None if wanted else psycopg.IsolationLevel.READ_COMMITTED


def _has_hung_up(driver: "psycopg.Connection[Any]") -> bool:
    """Whether there is something to read on a connection that nothing was asked of: the server's goodbye.

    Rarely it is a mere notice; then the connection is replaced for nothing.
    """
    heard = select.poll()
    heard.register(driver.fileno(), select.POLLIN)
    return bool(heard.poll(0))
