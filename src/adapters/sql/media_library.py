"""The media library, in SQL."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.errors import TryAgain
from adapters.sql.media_changes import write_changes
from adapters.sql.media_rows import asset_row, known_asset, media_asset, metadata_row, proxy_rows
from adapters.sql.media_tables import media_assets, media_metadata, media_proxies
from adapters.sql.tables import storage_configs
from application.ports.media_library import Added, AssetChange, MediaAssets, MediaLibrary, Replaced, Stretch
from domain.ids import StorageConfigId, UserId
from domain.media.asset import AssetId, KnownAsset, MediaAsset
from domain.media.content import ContentHash
from domain.media.file import RelativePath
from domain.media.memories import DayOfYear

BATCH: Final = 500
"""Values that one statement names: engines bound the number of parameters."""

ASSETS: Final = media_assets.c
KNOWN_COLUMNS: Final = tuple(
    ASSETS[name]
    for name in (
        "id",
        "file_path",
        "content_hash",
        "size",
        "mtime_ns",
        "ctime_ns",
        "inode",
        "is_soft_deleted",
    )
)
WHOLE: Final = sa.select(media_assets, media_metadata).join_from(
    media_assets, media_metadata, media_metadata.c.asset_id == ASSETS.id
)

# What a crawl asks and writes for each new file is built once: to build it costs more than to run it.
LIKE: Final = (ASSETS.storage_config_id == sa.bindparam("config")) & (
    ASSETS.content_hash == sa.bindparam("content")
)
HOLDS: Final = sa.select(ASSETS.id).where(LIKE).limit(1)
# In no order: to sort all copies for each of them would take the square of their number.
ALIKE: Final = WHOLE.where(LIKE).limit(1)

GIVEN: Final = tuple(column.name for column in ASSETS if column.name != "paired_asset_id")
KEPT: Final = frozenset({"id", "first_seen_at"})
REPLACE: Final = (
    sa.update(media_assets)
    .where(
        ASSETS.storage_config_id == sa.bindparam("new_storage_config_id"),
        ASSETS.file_path == sa.bindparam("new_file_path"),
    )
    .values({name: sa.bindparam(f"new_{name}") for name in GIVEN if name not in KEPT})
    .returning(ASSETS.id)
)


class SqlMediaLibrary(MediaLibrary, MediaAssets):
    """The assets of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        given = sa.select(*(sa.bindparam(f"new_{name}", type_=ASSETS[name].type) for name in GIVEN))
        self._insert = database.dialect.insert(media_assets, GIVEN, given).returning(ASSETS.id)

    async def known(self, config: StorageConfigId, stretch: Stretch, *, limit: int) -> tuple[KnownAsset, ...]:
        query = within(sa.select(*KNOWN_COLUMNS), media_assets, config, stretch).limit(limit)
        return await self._database.read(lambda connection: _all_known(connection, query))

    async def holds(self, config: StorageConfigId, content: ContentHash) -> bool:
        like = _like(config, content)
        return await self._database.read(
            lambda connection: connection.execute(HOLDS, like).first() is not None
        )

    async def gone(
        self, config: StorageConfigId, contents: Collection[ContentHash]
    ) -> tuple[KnownAsset, ...]:
        query = sa.select(*KNOWN_COLUMNS).where(_of(config), ASSETS.is_soft_deleted)
        digests = [content.digest for content in contents]
        return await self._database.read(
            lambda connection: tuple(
                asset
                for start in range(0, len(digests), BATCH)
                for asset in _all_known(
                    connection,
                    query.where(ASSETS.content_hash.in_(digests[start : start + BATCH])),
                )
            )
        )

    async def get(self, config: StorageConfigId, path: RelativePath) -> MediaAsset | None:
        at = _of(config) & (ASSETS.file_path == path)
        return await self._database.read(lambda connection: _first(connection, WHOLE.where(at)))

    async def of_content(self, config: StorageConfigId, content: ContentHash) -> MediaAsset | None:
        like = _like(config, content)
        return await self._database.read(lambda connection: _first(connection, ALIKE, like))

    async def captured_on(
        self, days: Collection[DayOfYear], *, user: UserId | None
    ) -> tuple[MediaAsset, ...]:
        on_days = sa.or_(*((ASSETS.month == day.month) & (ASSETS.day == day.day) for day in days))
        query = WHOLE.where(on_days, sa.not_(ASSETS.is_soft_deleted))
        if user is not None:
            theirs = sa.select(storage_configs.c.id).where(storage_configs.c.user_id == user)
            query = query.where(ASSETS.storage_config_id.in_(theirs))
        newest_first = query.order_by(ASSETS.date_captured.desc(), ASSETS.id.desc())
        return await self._database.read(lambda connection: _whole(connection, newest_first))

    async def store(self, asset: MediaAsset) -> Added | Replaced:
        return await self._database.write(lambda connection: self._store(connection, asset))

    async def change(self, config: StorageConfigId, changes: Sequence[AssetChange], *, at: datetime) -> None:
        if changes:
            await self._database.write(lambda connection: write_changes(connection, config, changes, at))

    def _store(self, connection: sa.Connection, asset: MediaAsset) -> Added | Replaced:
        new = {f"new_{name}": value for name, value in asset_row(asset).items()}
        first = {**new, "new_id": asset.id, "new_first_seen_at": asset.seen_at}
        # Most files are new ones; and of two crawls of a folder one adds the file, the other replaces it.
        if connection.execute(self._insert, first).all():
            _describe(connection, asset, asset.id)
            return Added()
        found = connection.execute(REPLACE, new).first()
        if found is None:
            # It was at its path a moment ago.
            raise TryAgain
        for table in (media_metadata, media_proxies):
            connection.execute(sa.delete(table).where(table.c.asset_id == found.id))
        _describe(connection, asset, AssetId(found.id))
        return Replaced()


def within(
    query: sa.Select[Any], table: sa.Table, config: StorageConfigId, stretch: Stretch
) -> sa.Select[Any]:
    """The rows of a stretch in the order of paths: both engines compare bytes as the walk does."""
    query = query.where(table.c.storage_config_id == config)
    if stretch.after is not None:
        query = query.where(table.c.file_path > stretch.after)
    if stretch.until is not None:
        query = query.where(table.c.file_path <= stretch.until)
    return query.order_by(table.c.file_path)


def _of(config: StorageConfigId) -> sa.ColumnElement[bool]:
    return ASSETS.storage_config_id == config


def _like(config: StorageConfigId, content: ContentHash) -> Mapping[str, Any]:
    return {"config": config, "content": content.digest}


def _describe(connection: sa.Connection, asset: MediaAsset, asset_id: AssetId) -> None:
    connection.execute(sa.insert(media_metadata), metadata_row(asset, asset_id))
    if asset.proxies:
        connection.execute(sa.insert(media_proxies), proxy_rows(asset, asset_id))


def _all_known(connection: sa.Connection, query: sa.Select[Any]) -> tuple[KnownAsset, ...]:
    return tuple(map(known_asset, connection.execute(query).all()))


def _first(
    connection: sa.Connection, query: sa.Select[Any], given: Mapping[str, Any] | None = None
) -> MediaAsset | None:
    found = _whole(connection, query, given)
    return found[0] if found else None


def _whole(
    connection: sa.Connection, query: sa.Select[Any], given: Mapping[str, Any] | None = None
) -> tuple[MediaAsset, ...]:
    rows = connection.execute(query, given).all()
    proxies: dict[Any, list[sa.Row[Any]]] = {row.id: [] for row in rows}
    ids = list(proxies)
    for start in range(0, len(ids), BATCH):
        some = sa.select(media_proxies).where(media_proxies.c.asset_id.in_(ids[start : start + BATCH]))
        for proxy in connection.execute(some.order_by(media_proxies.c.proxy_type.desc())).all():
            proxies[proxy.asset_id].append(proxy)
    return tuple(media_asset(row, proxies[row.id]) for row in rows)
