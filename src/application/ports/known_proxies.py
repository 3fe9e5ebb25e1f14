"""Which files of the proxies folder the library's rows know."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from domain.ids import StorageConfigId


@dataclass(frozen=True, slots=True)
class KnownProxy:
    """A path that at least one row names, and the size that it says; `owner` is whose row it is."""

    path: str
    size: int
    owner: StorageConfigId


class KnownProxies(Protocol):
    """The rows of all configs, active or not, and of files that are gone from their folder: these may come back."""

    async def among(self, paths: Collection[str]) -> frozenset[str]:
        """Those of these paths that a row names."""
        ...

    async def page(self, *, after: str | None, limit: int) -> tuple[KnownProxy, ...]:
        """The first `limit` paths beyond `after`, each once however many rows name it, in an order of the store's own."""
        ...
