"""Writers on PostgreSQL whose transactions end when the test says so."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import sqlalchemy as sa

from adapters.sql.postgres_statements import INSERT
from domain.ids import UserId, WorkItemId
from tests.support.builders import CLEANUP, an_id


class LateWriter:
    """One open transaction."""

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        """Begin with nothing."""
        self._connection = connection

    def enqueue(self) -> WorkItemId:
        """Write an item that nobody sees yet."""
        new = an_id()
        parameters = {
            "id": new,
            "kind": CLEANUP,
            "payload": "{}",
            "storage_config_id": None,
            "dedup_key": None,
            "requested_by": None,
        }
        self._connection.execute(INSERT, parameters)
        return new

    def touch(self, item: WorkItemId) -> None:
        """Change an item, as yet unseen."""
        self._connection.execute("UPDATE work_items SET revision = revision + 1 WHERE id = %s", [item])

    def delete(self, item: WorkItemId) -> None:
        """Delete an item, as yet unseen."""
        self._connection.execute("DELETE FROM work_items WHERE id = %s", [item])

    def delete_user(self, user: UserId) -> None:
        """Delete an account with all that is its own, as yet unseen."""
        self._connection.execute("DELETE FROM users WHERE id = %s", [user])

    def savepoint_enqueue(self) -> WorkItemId:
        """Write an item in a transaction within the transaction."""
        with self._connection.transaction():
            return self.enqueue()

    def commit(self) -> None:
        """Let everything be seen."""
        self._connection.commit()

    def rollback(self) -> None:
        """Let nothing of it have happened."""
        self._connection.rollback()

    def begin_in_two_phases(self) -> None:
        """Begin what will be prepared before it is committed."""
        self._connection.tpc_begin(self._connection.xid(1, secrets.token_hex(8), "late"))

    def prepare(self) -> None:
        """Belong to no connection any more: only who knows the name can commit it."""
        self._connection.tpc_prepare()

    def settle(self) -> None:
        """Commit what was prepared."""
        self._connection.tpc_commit()


@contextmanager
def late_writers(url: str, count: int) -> Iterator[list[LateWriter]]:
    """So many of them, in the order in which their transactions begin to write if they are used in that order."""
    libpq = sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    connections = [psycopg.connect(libpq) for _ in range(count)]
    try:
        yield [LateWriter(connection) for connection in connections]
    finally:
        for connection in connections:
            connection.close()
