"""The media library, in SQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.errors import TryAgain
from adapters.sql.media_rows import (
    asset_row,
    known_asset,
    media_asset,
    metadata_row,
    proxy_rows,
    signature_row,
)
from adapters.sql.media_tables import media_assets, media_metadata, media_proxies
from application.ports.media_library import Added, Replaced
from domain.ids import StorageConfigId
from domain.media.asset import AssetId, KnownAsset, MediaAsset
from domain.media.file import RelativePath

BATCH: Final = 500
"""Rows that one statement asks for: engines bound the number of parameters."""

KNOWN_COLUMNS: Final = tuple(
    media_assets.c[name]
    for name in ("id", "file_path", "content_hash", "size", "mtime_ns", "ctime_ns", "inode")
)


class SqlMediaLibrary:
    """The assets of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(
        self, config: StorageConfigId, paths: Sequence[RelativePath]
    ) -> Mapping[RelativePath, KnownAsset]:
        return await self._database.read(lambda connection: _known(connection, config, paths))

    async def get(self, config: StorageConfigId, path: RelativePath) -> MediaAsset | None:
        return await self._database.read(lambda connection: _get(connection, config, path))

    async def mark_seen(self, assets: Sequence[KnownAsset], *, at: datetime) -> None:
        if assets:
            await self._database.write(lambda connection: _mark_seen(connection, assets, at))

    async def store(self, asset: MediaAsset) -> Added | Replaced:
        return await self._database.write(lambda connection: self._store(connection, asset))

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


def _at(config: StorageConfigId, path: RelativePath) -> sa.ColumnElement[bool]:
    return (media_assets.c.storage_config_id == config) & (media_assets.c.file_path == path)


def _replace(connection: sa.Connection, asset: MediaAsset) -> AssetId | None:
    """Overwrite the row at the asset's path and tell its id; None when there is no such row."""
    update = sa.update(media_assets).where(_at(asset.storage_config_id, asset.path)).values(asset_row(asset))
    found = connection.execute(update.returning(media_assets.c.id)).all()
    return AssetId(found[0].id) if found else None


def _known(
    connection: sa.Connection, config: StorageConfigId, paths: Sequence[RelativePath]
) -> Mapping[RelativePath, KnownAsset]:
    query = sa.select(*KNOWN_COLUMNS).where(media_assets.c.storage_config_id == config)
    known = {}
    for start in range(0, len(paths), BATCH):
        some = query.where(media_assets.c.file_path.in_(paths[start : start + BATCH]))
        known.update(
            {RelativePath(row.file_path): known_asset(row) for row in connection.execute(some).all()}
        )
    return known


def _get(connection: sa.Connection, config: StorageConfigId, path: RelativePath) -> MediaAsset | None:
    joined = media_assets.join(media_metadata, media_metadata.c.asset_id == media_assets.c.id)
    query = sa.select(media_assets, media_metadata).select_from(joined).where(_at(config, path))
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    proxies = sa.select(media_proxies).where(media_proxies.c.asset_id == row.id)
    return media_asset(row, connection.execute(proxies.order_by(media_proxies.c.proxy_type.desc())).all())


def _mark_seen(connection: sa.Connection, assets: Sequence[KnownAsset], at: datetime) -> None:
    columns = media_assets.c
    update = (
        sa.update(media_assets)
        .where(columns.id == sa.bindparam("asset"))
        .values({name: sa.bindparam(f"new_{name}") for name in ("size", "mtime_ns", "ctime_ns", "inode")})
        .values(last_seen_at=at, is_soft_deleted=False)
    )
    connection.execute(
        update,
        [
            {
                "asset": asset.id,
                **{f"new_{name}": value for name, value in signature_row(asset.signature).items()},
            }
            for asset in assets
        ],
    )
