"""A database that goes away and comes back."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import sqlalchemy as sa
from psycopg import sql


class Outage:
    """Cuts every connection to one database, and refuses new ones until it is over."""

    def __init__(self, url: str) -> None:
        address = sa.make_url(url)
        self._name = str(address.database)
        beside = address.set(drivername="postgresql", database="postgres")
        self._connection = psycopg.connect(beside.render_as_string(hide_password=False), autocommit=True)

    def begin(self) -> None:
        self._allow(connections=False)
        self._connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [self._name]
        )

    def end(self) -> None:
        self._allow(connections=True)

    def close(self) -> None:
        self.end()
        self._connection.close()

    def _allow(self, *, connections: bool) -> None:
        statement = sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS {}")
        allowed = sql.SQL("true") if connections else sql.SQL("false")
        self._connection.execute(statement.format(sql.Identifier(self._name), allowed))


@contextmanager
def outages_of(url: str) -> Iterator[Outage]:
    outage = Outage(url)
    try:
        yield outage
    finally:
        outage.close()
