"""How work items come in, in SQL."""

from datetime import UTC, datetime, timedelta
from typing import Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.errors import TryAgain, UnknownReference
from adapters.sql.ledger import histories
from adapters.sql.rows import row_of
from adapters.sql.tables import storage_configs, waiting, work_items
from application.ports.transactions import Transaction
from domain.due import NEVER_SEEN, is_due
from domain.ids import DedupKey, WorkItemId
from domain.outcomes import Coalesced, Created, DueAnswer, EnqueueAnswer, NotDue, UnknownScope
from domain.work_item import NewWorkItem

COLUMNS: Final = tuple(work_items.c.keys())
DATED: Final = frozenset({"requested_at", "updated_at"})
UNDATED: Final = datetime.min.replace(tzinfo=UTC)


class SqlWorkInbox:
    """The one door. A request that finds its key waiting is answered with the item that waits (R17)."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._dialect = database.dialect

    async def insert(self, new: NewWorkItem, *, within: Transaction | None = None) -> EnqueueAnswer:
        try:
            if within is None:
                return await self._insert_alone(new)
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

    async def _insert_alone(self, new: NewWorkItem) -> EnqueueAnswer:
        return await self._database.write(lambda connection: self._insert(connection, new, hold=False))

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

    def _try_insert(self, connection: sa.Connection, new: NewWorkItem) -> bool:
        """Insert the item, dated by the database; whether its id and its key were free."""
        clock = sa.select(self._dialect.now.label("now")).subquery("clock")
        values = row_of(new.queued_at(UNDATED))
        # One reading of the clock for all its instants.
        columns = [
            clock.c.now if name in DATED else sa.literal(values[name], work_items.c[name].type)
            for name in COLUMNS
        ]
        insert = self._dialect.insert(work_items, COLUMNS, sa.select(*columns)).returning(work_items.c.id)
        return connection.execute(insert).one_or_none() is not None

    async def _knows_scope(self, new: NewWorkItem, within: Transaction | None) -> bool:
        """Whether it was not the scope that the new item's row could not refer to."""
        query = sa.select(storage_configs.c.id).where(storage_configs.c.id == new.storage_config_id)
        found = await self._database.write(
            lambda connection: connection.execute(query).one_or_none(), within=within
        )
        return new.storage_config_id is None or found is not None


def _waiting_with(connection: sa.Connection, key: DedupKey | None, *, hold: bool) -> WorkItemId | None:
    """The item that waits with this key. Held, it cannot be claimed before the transaction ends (R18)."""
    query = sa.select(work_items.c.id).where(work_items.c.dedup_key == key, waiting)
    found = connection.execute(query.with_for_update(read=True) if hold else query).scalar_one_or_none()
    return None if found is None else WorkItemId(found)


def _is_known(connection: sa.Connection, item: WorkItemId) -> bool:
    query = sa.select(work_items.c.id).where(work_items.c.id == item)
    return connection.execute(query).one_or_none() is not None
