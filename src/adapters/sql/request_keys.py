"""Requests that may be sent again, in SQL."""

from collections.abc import Sequence
from uuid import UUID

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.errors import TryAgain
from adapters.sql.sweep_tables import request_keys
from application.ports.request_keys import (
    REMEMBERED_FOR,
    KeyAnswer,
    KeyIsNew,
    KeyMisused,
    KeyWasUsed,
    RequestKey,
    RequestKeys,
)
from application.ports.transactions import Transaction
from domain.ids import WorkItemId

TABLE = request_keys.c


class SqlRequestKeys(RequestKeys):
    """The keys of one database. The primary key is what makes a second transaction wait for the first."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, key: RequestKey, *, within: Transaction) -> KeyAnswer:
        return await self._database.write(lambda connection: self._take(connection, key), within=within)

    async def note(self, key: RequestKey, items: Sequence[WorkItemId], *, within: Transaction) -> None:
        texts = " ".join(map(str, items))
        update = sa.update(request_keys).where(_is(key)).values(work_item_ids=texts)
        await self._database.write(lambda connection: connection.execute(update).close(), within=within)

    def _take(self, connection: sa.Connection, key: RequestKey) -> KeyAnswer:
        dialect = self._database.dialect
        forgotten = TABLE.taken_at < dialect.later(dialect.as_of, -REMEMBERED_FOR)
        connection.execute(_delete(forgotten))
        new = {"user_id": key.user, "key": key.text, "digest": key.digest, "work_item_ids": ""}
        values = sa.select(
            *(sa.literal(value, TABLE[name].type) for name, value in new.items()),
            dialect.now.label("taken_at"),
        )
        insert = dialect.insert(request_keys, [*new, "taken_at"], values)
        if connection.execute(insert.returning(TABLE.key)).all():
            return KeyIsNew()
        known = sa.select(TABLE.digest, TABLE.work_item_ids).where(_is(key), sa.not_(forgotten))
        row = connection.execute(known).one_or_none()
        if row is None:
            # It was forgotten in this very moment, or by another transaction that did not commit.
            raise TryAgain
        if row.digest != key.digest:
            return KeyMisused()
        return KeyWasUsed(tuple(WorkItemId(UUID(text)) for text in row.work_item_ids.split()))


def _delete(which: sa.ColumnElement[bool]) -> sa.Delete:
    """Delete these keys; but wait for nobody who is just doing the same."""
    names = TABLE.user_id, TABLE.key
    free = sa.select(*names).where(which).with_for_update(skip_locked=True).cte("free")
    return sa.delete(request_keys).where(sa.tuple_(*names).in_(sa.select(free)))


def _is(key: RequestKey) -> sa.ColumnElement[bool]:
    return (TABLE.user_id == key.user) & (TABLE.key == key.text)
