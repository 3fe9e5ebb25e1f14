"""The photo folders, in SQL."""

from typing import Any, Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.media_tables import media_assets
from adapters.sql.tables import storage_configs, work_items
from application.ports.errors import StoreRefused
from application.ports.storage_configs import ConfigSwitch, NoSuchConfig, Removed, StorageConfigs
from application.ports.transactions import Transaction
from domain.account import StorageConfig
from domain.ids import StorageConfigId, UserId
from domain.photo_root import admitted_root
from domain.scope import AllScopes, Scope, UserScope

ADDING: Final = "storage-configs"
"""The lock that adds take one by one: no index can keep a folder out of another."""

BATCH: Final = 1_000
"""Rows of a table that one short transaction of a removal deletes (R29)."""


class SqlStorageConfigs(StorageConfigs, ConfigSwitch):
    """The configs of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, config: StorageConfigId, *, user: UserId, root_path: str, within: Transaction | None = None
    ) -> StorageConfig:
        return await self._database.write(
            lambda connection: self._add(connection, config, user, root_path), within=within
        )

    async def get(self, config: StorageConfigId) -> StorageConfig | None:
        found = await self._some(storage_configs.c.id == config)
        return found[0] if found else None

    async def all(self) -> tuple[StorageConfig, ...]:
        return await self._some(sa.true())

    async def served(self, scope: Scope) -> tuple[StorageConfig, ...]:
        match scope:
            case AllScopes():
                return await self._some(storage_configs.c.is_active)
            case UserScope(user_id=user):
                return await self._some(storage_configs.c.is_active & (storage_configs.c.user_id == user))

    async def remove(self, config: StorageConfigId) -> Removed | NoSuchConfig:
        """In many short transactions. Cut off in the middle, it leaves an inactive config to be removed again."""
        if isinstance(await self.set_active(config, active=False), NoSuchConfig):
            return NoSuchConfig()
        # The items first: so a crawl that still runs is fenced, and adds nothing more.
        items = await self._delete_all(work_items, config)
        await self._delete_all(media_assets, config)
        last = sa.delete(storage_configs).where(storage_configs.c.id == config)
        return Removed(items) if await self._rows(last) == 1 else NoSuchConfig()

    async def set_active(self, config: StorageConfigId, *, active: bool) -> StorageConfig | NoSuchConfig:
        update = sa.update(storage_configs).where(storage_configs.c.id == config).values(is_active=active)
        returning = update.returning(storage_configs)
        row = await self._database.write(lambda connection: connection.execute(returning).one_or_none())
        return NoSuchConfig() if row is None else _config(row)

    async def _some(self, which: sa.ColumnElement[bool]) -> tuple[StorageConfig, ...]:
        return await self._database.read(lambda connection: _oldest_first(connection, which))

    async def _delete_all(self, table: sa.Table, config: StorageConfigId) -> int:
        deleted = some = await self._delete_some(table, config)
        while some == BATCH:
            some = await self._delete_some(table, config)
            deleted += some
        return deleted

    async def _delete_some(self, table: sa.Table, config: StorageConfigId) -> int:
        some = sa.select(table.c.id).where(table.c.storage_config_id == config).limit(BATCH)
        return await self._rows(sa.delete(table).where(table.c.id.in_(some)))

    async def _rows(self, change: sa.Update | sa.Delete) -> int:
        return await self._database.write(lambda connection: connection.execute(change).rowcount)

    def _add(
        self, connection: sa.Connection, config: StorageConfigId, user: UserId, root_path: str
    ) -> StorageConfig:
        self._database.dialect.lock_key(connection, ADDING)
        configs = {known.id: known for known in _oldest_first(connection, sa.true())}
        same = configs.pop(config, None)
        try:
            root = admitted_root(root_path, beside=(other.root_path for other in configs.values()))
        except ValueError as fault:
            raise StoreRefused(str(fault)) from fault
        if same is None:
            return self._insert(connection, config, user, root)
        if (same.user_id, same.root_path) == (user, root):
            return same
        raise StoreRefused("the id belongs to another photo folder")

    def _insert(
        self, connection: sa.Connection, config: StorageConfigId, user: UserId, root: str
    ) -> StorageConfig:
        new = {"id": config, "user_id": user, "root_path": root, "is_active": True}
        insert = sa.insert(storage_configs).values(**new, created_at=self._database.dialect.now)
        return _config(connection.execute(insert.returning(storage_configs)).one())


def _oldest_first(connection: sa.Connection, which: sa.ColumnElement[bool]) -> tuple[StorageConfig, ...]:
    query = sa.select(storage_configs).where(which)
    ordered = query.order_by(storage_configs.c.created_at, storage_configs.c.id)
    return tuple(map(_config, connection.execute(ordered).all()))


def _config(row: sa.Row[Any]) -> StorageConfig:
    return StorageConfig(
        id=StorageConfigId(row.id),
        user_id=UserId(row.user_id),
        root_path=row.root_path,
        is_active=row.is_active,
        created_at=row.created_at,
    )
