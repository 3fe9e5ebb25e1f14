"""The stores on SQL as houses."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.rows import row_of
from adapters.sql.storage_configs import SqlStorageConfigs
from adapters.sql.stores import change_feed as change_feed_on
from adapters.sql.stores import work_store
from adapters.sql.tables import (
    change_feed,
    metadata,
    storage_configs,
    work_item_tombstones,
    work_items,
)
from adapters.sql.types import Instant
from adapters.sql.users import SqlUsers
from domain.ids import StorageConfigId
from domain.work_item import WorkItem
from tests.support.house import House

KEPT: Final = (change_feed, work_item_tombstones)
"""What a store knows of changes; only its own triggers write there."""


class SqlPokes:
    """Time passes by moving every instant of every row back: nobody can move the database's clock."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def age(self, duration: timedelta) -> None:
        await self._run(
            *(update for table in metadata.sorted_tables for update in self._aged(table, duration))
        )

    async def put(self, item: WorkItem) -> None:
        await self._run(sa.insert(work_items).values(row_of(item)))

    async def clear(self) -> None:
        await self._run(
            *(sa.delete(table) for table in reversed(metadata.sorted_tables) if table not in KEPT)
        )

    async def deactivate(self, config: StorageConfigId) -> None:
        which = storage_configs.c.id == config
        await self._run(sa.update(storage_configs).where(which).values(is_active=False))

    def _aged(self, table: sa.Table, duration: timedelta) -> list[sa.Update]:
        instants = [column for column in table.c if isinstance(column.type, Instant)]
        earlier = {column.name: self._database.dialect.later(column, -duration) for column in instants}
        return [sa.update(table).values(earlier)] if earlier else []

    async def _run(self, *statements: sa.Executable) -> None:
        def work(connection: sa.Connection) -> None:
            for statement in statements:
                connection.execute(statement)

        await self._database.write(work)


@asynccontextmanager
async def a_sql_house(url: str) -> AsyncIterator[House]:
    """A house on a migrated database."""
    database = Database(url)
    try:
        yield House(
            store=work_store(database),
            transactions=database,
            users=SqlUsers(database),
            storage_configs=SqlStorageConfigs(database),
            feed=change_feed_on(database),
            pokes=SqlPokes(database),
        )
    finally:
        await database.close()
