"""Which proxies the rows know, in SQL."""

from collections.abc import Collection
from typing import Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.media_tables import media_assets, media_proxies
from application.ports.known_proxies import KnownProxies, KnownProxy
from domain.ids import StorageConfigId

BATCH: Final = 1_000
"""Values that one statement names: engines bound the number of parameters."""


class SqlKnownProxies(KnownProxies):
    """The proxies of one database. Copies share theirs, so one path may stand in several rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def among(self, paths: Collection[str]) -> frozenset[str]:
        wanted = list(paths)
        return await self._database.read(
            lambda connection: frozenset(
                path
                for start in range(0, len(wanted), BATCH)
                for path in _known(connection, wanted[start : start + BATCH])
            )
        )

    async def page(self, *, after: str | None, limit: int) -> tuple[KnownProxy, ...]:
        paths = sa.select(media_proxies.c.path).distinct()
        if after is not None:
            paths = paths.where(media_proxies.c.path > after)
        some = paths.order_by(media_proxies.c.path).limit(limit).cte("some")
        query = (
            sa.select(media_proxies.c.path, media_proxies.c.size, media_assets.c.storage_config_id)
            .join(some, some.c.path == media_proxies.c.path)
            .join(media_assets, media_assets.c.id == media_proxies.c.asset_id)
            .order_by(media_proxies.c.path)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        found = {
            row.path: KnownProxy(row.path, row.size, StorageConfigId(row.storage_config_id)) for row in rows
        }
        return tuple(found.values())


def _known(connection: sa.Connection, paths: Collection[str]) -> Collection[str]:
    query = sa.select(media_proxies.c.path).where(media_proxies.c.path.in_(paths))
    return connection.execute(query).scalars().all()
