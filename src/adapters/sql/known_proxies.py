"""Which proxies the rows know, in SQL."""

from collections.abc import Collection
from typing import Any, Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.media_tables import media_assets, media_proxies
from application.ports.known_proxies import KnownProxies, KnownProxy
from domain.ids import StorageConfigId

PROXIES: Final = media_proxies.c


class SqlKnownProxies(KnownProxies):
    """The proxies of one database. Copies share theirs, so one path may stand in several rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def among(self, paths: Collection[str]) -> frozenset[str]:
        if not paths:
            return frozenset()
        is_wanted = self._database.dialect.is_among(PROXIES.path, list(paths))
        query = sa.select(PROXIES.path).where(is_wanted).distinct()
        return await self._database.read(
            lambda connection: frozenset(connection.execute(query).scalars().all())
        )

    async def page(self, *, after: str | None, limit: int) -> tuple[KnownProxy, ...]:
        query = _page(after, limit)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(KnownProxy(row.path, row.size, StorageConfigId(row.storage_config_id)) for row in rows)


def _page(after: str | None, limit: int) -> sa.Select[Any]:
    """Each path with what some row says of it: there may be any number of copies, and they all say the same."""
    paths = sa.select(PROXIES.path).distinct().order_by(PROXIES.path).limit(limit)
    some = (paths if after is None else paths.where(PROXIES.path > after)).subquery("some")
    of_path = PROXIES.path == some.c.path
    whose = media_assets.c.id == PROXIES.asset_id
    size = sa.select(PROXIES.size).where(of_path).limit(1)
    owner = sa.select(media_assets.c.storage_config_id).where(of_path, whose).limit(1)
    return sa.select(
        some.c.path,
        size.scalar_subquery().label("size"),
        owner.scalar_subquery().label("storage_config_id"),
    ).order_by(some.c.path)
