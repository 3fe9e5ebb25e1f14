"""Which proxies the rows know, in memory."""

from collections.abc import Collection

from adapters.memory.database import MemoryDatabase
from application.ports.known_proxies import KnownProxies, KnownProxy


class MemoryKnownProxies(KnownProxies):
    """The proxies of one memory database's assets."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def among(self, paths: Collection[str]) -> frozenset[str]:
        async with self._database.step():
            return frozenset(paths) & self._by_path().keys()

    async def page(self, *, after: str | None, limit: int) -> tuple[KnownProxy, ...]:
        async with self._database.step():
            by_path = self._by_path()
            beyond = [path for path in sorted(by_path) if after is None or path > after]
            return tuple(by_path[path] for path in beyond[:limit])

    def _by_path(self) -> dict[str, KnownProxy]:
        return {
            proxy.path: KnownProxy(proxy.path, proxy.size, owner)
            for (owner, _), asset in self._database.media_assets.items()
            if owner in self._database.storage_configs
            for proxy in asset.proxies
        }
