"""How work items come in, in SQL."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import sqlalchemy as sa

from adapters.sql.dialect import Dialect
from adapters.sql.engine import Database
from adapters.sql.errors import TryAgain, UnknownReference
from adapters.sql.ledger import histories
from adapters.sql.rows import row_of
from adapters.sql.statements import IS_KNOWN, WAITING, WAITING_AND_HELD, insert_item
from adapters.sql.tables import storage_configs
from application.ports.transactions import Transaction
from domain.due import NEVER_SEEN, is_due
from domain.ids import DedupKey, WorkItemId
from domain.outcomes import Coalesced, Created, DueAnswer, EnqueueAnswer, NotDue, UnknownScope
from domain.work_item import NewWorkItem

UNDATED: Final = datetime.min.replace(tzinfo=UTC)

TryInsert = Callable[[sa.Connection, NewWorkItem], bool]
"""Inserts the item, dated by the database; whether its id and its key were free."""


class SqlWorkInbox:
    """The one door. A request that finds its key waiting is answered with the item that waits (R17)."""

    def __init__(self, database: Database, try_insert: TryInsert) -> None:
        self._database = database
        self._dialect = database.dialect
        self._try_insert = try_insert

    async def insert(self, new: NewWorkItem, *, within: Transaction | None = None) -> EnqueueAnswer:
        try:
            if within is None:
                # Its statements need not be one transaction: whatever happens between them, they look again.
                return await self._database.autocommit(
                    lambda connection: self._insert(connection, new, hold=False)
                )
            return await self._database.write(
                lambda connection: self._insert(connection, new, hold=True), within=within
            )
        except UnknownReference:
            if await self._knows_scope(new, within):
                raise
            return UnknownScope()

    async def insert_if_due(self, new: NewWorkItem, *, interval: timedelta) -> DueAnswer:
        if new.dedup_key is None:
            raise ValueError("periodic work is known by its dedup key")
        key = new.dedup_key
        try:
            return await self._database.write(
                lambda connection: self._insert_if_due(connection, new, key, interval)
            )
        except UnknownReference:
            if await self._knows_scope(new, None):
                raise
            return UnknownScope()

    def _insert(self, connection: sa.Connection, new: NewWorkItem, *, hold: bool) -> EnqueueAnswer:
        if self._try_insert(connection, new) or _is_known(connection, new.id):
            return Created(new.id)
        twin = _waiting_with(connection, new.dedup_key, hold=hold)
        if twin is None:
            # It was claimed or cancelled in between: nothing stands in the way any more.
            raise TryAgain
        return Coalesced(twin)

    def _insert_if_due(
        self, connection: sa.Connection, new: NewWorkItem, key: DedupKey, interval: timedelta
    ) -> DueAnswer:
        # In a statement of its own: the next one must see what the holder before has committed (R19).
        self._dialect.lock_key(connection, key)
        if _is_known(connection, new.id):
            return Created(new.id)
        known = histories(connection, self._dialect, frozenset({key}))
        if not is_due(interval, known.by_key.get(key, NEVER_SEEN), known.as_of):
            return NotDue()
        # Somebody who does not ask whether it is due may have been quicker: then it is under way.
        return Created(new.id) if self._try_insert(connection, new) else NotDue()

    async def _knows_scope(self, new: NewWorkItem, within: Transaction | None) -> bool:
        """Whether it was not the scope that the new item's row could not refer to."""
        query = sa.select(storage_configs.c.id).where(storage_configs.c.id == new.storage_config_id)
        found = await self._database.write(
            lambda connection: connection.execute(query).one_or_none(), within=within
        )
        return new.storage_config_id is None or found is not None


def inserting(dialect: Dialect) -> TryInsert:
    """The insert for any database."""
    statement = insert_item(dialect)

    def try_insert(connection: sa.Connection, new: NewWorkItem) -> bool:
        return connection.execute(statement, row_of(new.queued_at(UNDATED))).one_or_none() is not None

    return try_insert


def _waiting_with(connection: sa.Connection, key: DedupKey | None, *, hold: bool) -> WorkItemId | None:
    """The item that waits with this key. Held, it cannot be claimed before the transaction ends (R18)."""
    found = connection.execute(WAITING_AND_HELD if hold else WAITING, {"key": key}).scalar_one_or_none()
    return None if found is None else WorkItemId(found)


def _is_known(connection: sa.Connection, item: WorkItemId) -> bool:
    return connection.execute(IS_KNOWN, {"item": item}).one_or_none() is not None
