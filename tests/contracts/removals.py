"""What a removal of a config with very many rows promises, on the engines that have such (R29)."""

from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.media_tables import media_assets, media_metadata, media_proxies
from adapters.sql.storage_configs import BATCH, SqlStorageConfigs
from adapters.sql.tables import metadata, work_item_attempts, work_items
from adapters.sql.users import SqlUsers
from application.ports.storage_configs import Removed
from domain.ids import StorageConfigId, UserId
from tests.support.builders import ids

MANY: Final = 2 * BATCH + 7
"""More than two batches hold."""


class RemovalContract:
    """An engine's test supplies `url`."""

    @pytest.fixture
    def url(self) -> str:
        raise NotImplementedError

    @pytest.fixture
    async def database(self, url: str) -> AsyncIterator[Database]:
        database = Database(url)
        yield database
        await database.close()

    async def test_everything_of_the_config_goes_and_nothing_else(self, database: Database) -> None:
        user = UserId(ids.next())
        leaving, staying = StorageConfigId(ids.next()), StorageConfigId(ids.next())
        configs = SqlStorageConfigs(database)
        await SqlUsers(database).add(user, name="a", email="a@b", password_hash="-", is_admin=False)
        for config in (leaving, staying):
            await configs.add(config, user=user, root_path=f"/photos/{config}")
        await fill(database, leaving, MANY)
        await fill(database, staying, 3)
        await fill(database, None, 2)

        assert await configs.remove(leaving) == Removed(items=MANY)

        assert await filled_tables(database) == {
            "users": 1,
            "storage_configs": 1,
            "work_items": 5,
            "work_item_attempts": 5,
            "media_assets": 3,
            "media_metadata": 3,
            "media_proxies": 3,
            "change_feed": 1,
            "work_item_tombstones": MANY,
        }


async def fill(database: Database, config: StorageConfigId | None, count: int) -> None:
    """Give the config so many items with an attempt each, and assets with all that an asset has."""
    items = [ids.next() for _ in range(count)]
    assets = [] if config is None else [ids.next() for _ in range(count)]

    def insert(connection: sa.Connection) -> None:
        now = connection.execute(sa.select(database.dialect.now)).scalar_one()
        rows: dict[sa.Table, list[dict[str, Any]]] = {
            work_items: [an_item(item, config, now) for item in items],
            work_item_attempts: [an_attempt(item, now) for item in items],
            media_assets: [an_asset(asset, config, now) for asset in assets],
            media_metadata: [
                {"asset_id": asset, "width": 4, "height": 3, "orientation": 1} for asset in assets
            ],
            media_proxies: [a_proxy(asset, now) for asset in assets],
        }
        for table, some in rows.items():
            if some:
                connection.execute(sa.insert(table), some)

    await database.write(insert)


def an_item(item: object, config: object, now: object) -> dict[str, Any]:
    counted = {"attempt": 1, "stalls": 0, "retries": 0, "progress_done": 0, "revision": 2}
    told = {"kind": "crawl", "payload": "{}", "progress_note": "", "partial": False, "status": "running"}
    when = {"requested_at": now, "updated_at": now, "started_at": now, "lease_until": now}
    return {"id": item, "storage_config_id": config, **counted, **told, **when}


def an_attempt(item: object, now: object) -> dict[str, Any]:
    told = {"attempt": 1, "claimed_by": "ada", "ended": "released"}
    return {"work_item_id": item, **told, "started_at": now, "ended_at": now}


def an_asset(asset: object, config: object, now: object) -> dict[str, Any]:
    signature = {"size": 1, "mtime_ns": 1, "ctime_ns": 1, "inode": 1}
    told = {"file_name": "a.jpg", "content_hash": b"", "media_type": "image/jpeg", "is_soft_deleted": False}
    when = {"first_seen_at": now, "last_seen_at": now}
    path = {"file_path": str(asset).encode()}
    return {"id": asset, "storage_config_id": config, **path, **signature, **told, **when}


def a_proxy(asset: object, now: object) -> dict[str, Any]:
    told = {"proxy_type": "thumbnail", "path": "a", "size": 1, "width": 4, "height": 3}
    return {"asset_id": asset, **told, "created_at": now}


async def filled_tables(database: Database) -> dict[str, int]:
    def count(connection: sa.Connection) -> dict[str, int]:
        queries = {table: sa.select(sa.func.count()).select_from(table) for table in metadata.sorted_tables}
        found = {table.name: connection.execute(query).scalar_one() for table, query in queries.items()}
        return {name: rows for name, rows in found.items() if rows}

    return await database.read(count)
