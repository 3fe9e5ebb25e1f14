"""The media library, in SQL."""

from collections.abc import Collection, Sequence
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

KNOWN_COLUMNS: Final = tuple(
    media_assets.c[name]
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


class SqlMediaLibrary(MediaLibrary, MediaAssets):
    """The assets of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(self, config: StorageConfigId, stretch: Stretch, *, limit: int) -> tuple[KnownAsset, ...]:
        query = within(sa.select(*KNOWN_COLUMNS), media_assets, config, stretch).limit(limit)
        return await self._database.read(lambda connection: _all_known(connection, query))

    async def holds(self, config: StorageConfigId, content: ContentHash) -> bool:
        query = sa.select(media_assets.c.id).where(_of(config), media_assets.c.content_hash == content.digest)
        return await self._database.read(
            lambda connection: connection.execute(query.limit(1)).first() is not None
        )

    async def gone(
        self, config: StorageConfigId, contents: Collection[ContentHash]
    ) -> tuple[KnownAsset, ...]:
        query = sa.select(*KNOWN_COLUMNS).where(_of(config), media_assets.c.is_soft_deleted)
        digests = [content.digest for content in contents]
        return await self._database.read(
            lambda connection: tuple(
                asset
                for start in range(0, len(digests), BATCH)
                for asset in _all_known(
                    connection,
                    query.where(media_assets.c.content_hash.in_(digests[start : start + BATCH])),
                )
            )
        )

    async def get(self, config: StorageConfigId, path: RelativePath) -> MediaAsset | None:
        return await self._first(WHOLE.where(_at(config, path)))

    async def of_content(self, config: StorageConfigId, content: ContentHash) -> MediaAsset | None:
        alike = WHOLE.where(_of(config), media_assets.c.content_hash == content.digest)
        # In no order: to sort all copies for each of them would take the square of their number.
        return await self._first(alike.limit(1))

    async def captured_on(
        self, days: Collection[DayOfYear], *, user: UserId | None
    ) -> tuple[MediaAsset, ...]:
        on_days = sa.or_(
            *((media_assets.c.month == day.month) & (media_assets.c.day == day.day) for day in days)
        )
        query = WHOLE.where(on_days, sa.not_(media_assets.c.is_soft_deleted))
        if user is not None:
            theirs = sa.select(storage_configs.c.id).where(storage_configs.c.user_id == user)
            query = query.where(media_assets.c.storage_config_id.in_(theirs))
        newest_first = query.order_by(media_assets.c.date_captured.desc(), media_assets.c.id.desc())
        return await self._database.read(lambda connection: _whole(connection, newest_first))

    async def store(self, asset: MediaAsset) -> Added | Replaced:
        return await self._database.write(lambda connection: self._store(connection, asset))

    async def change(self, config: StorageConfigId, changes: Sequence[AssetChange], *, at: datetime) -> None:
        if changes:
            await self._database.write(lambda connection: write_changes(connection, config, changes, at))

    async def _first(self, query: sa.Select[Any]) -> MediaAsset | None:
        found = await self._database.read(lambda connection: _whole(connection, query))
        return found[0] if found else None

    def _store(self, connection: sa.Connection, asset: MediaAsset) -> Added | Replaced:
        earlier = _replace(connection, asset)
        if earlier is None:
            self._insert(connection, asset)
        else:
            for table in (media_metadata, media_proxies):
                connection.execute(sa.delete(table).where(table.c.asset_id == earlier))
        asset_id = asset.id if earlier is None else earlier
        connection.execute(sa.insert(media_metadata).values(metadata_row(asset, asset_id)))
        if asset.proxies:
            connection.execute(sa.insert(media_proxies), proxy_rows(asset, asset_id))
        return Added() if earlier is None else Replaced()

    def _insert(self, connection: sa.Connection, asset: MediaAsset) -> None:
        row = {"id": asset.id, **asset_row(asset), "first_seen_at": asset.seen_at}
        values = sa.select(*(sa.literal(value, media_assets.c[name].type) for name, value in row.items()))
        insert = self._database.dialect.insert(media_assets, list(row), values)
        if not connection.execute(insert.returning(media_assets.c.id)).all():
            # Another crawl of the same folder added it since: then it is to be replaced.
            raise TryAgain


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


WHOLE: Final = sa.select(media_assets, media_metadata).join_from(
    media_assets, media_metadata, media_metadata.c.asset_id == media_assets.c.id
)


def _of(config: StorageConfigId) -> sa.ColumnElement[bool]:
    return media_assets.c.storage_config_id == config


def _at(config: StorageConfigId, path: RelativePath) -> sa.ColumnElement[bool]:
    return _of(config) & (media_assets.c.file_path == path)


def _replace(connection: sa.Connection, asset: MediaAsset) -> AssetId | None:
    """Overwrite the row at the asset's path and tell its id; None when there is no such row."""
    update = sa.update(media_assets).where(_at(asset.storage_config_id, asset.path)).values(asset_row(asset))
    found = connection.execute(update.returning(media_assets.c.id)).all()
    return AssetId(found[0].id) if found else None


def _all_known(connection: sa.Connection, query: sa.Select[Any]) -> tuple[KnownAsset, ...]:
    return tuple(map(known_asset, connection.execute(query).all()))


def _whole(connection: sa.Connection, query: sa.Select[Any]) -> tuple[MediaAsset, ...]:
    rows = connection.execute(query).all()
    proxies: dict[Any, list[sa.Row[Any]]] = {row.id: [] for row in rows}
    ids = list(proxies)
    for start in range(0, len(ids), BATCH):
        some = sa.select(media_proxies).where(media_proxies.c.asset_id.in_(ids[start : start + BATCH]))
        for proxy in connection.execute(some.order_by(media_proxies.c.proxy_type.desc())).all():
            proxies[proxy.asset_id].append(proxy)
    return tuple(media_asset(row, proxies[row.id]) for row in rows)
