"""The folder of proxies."""

from collections.abc import Sequence
from typing import Protocol

from application.ports.errors import PortError
from domain.media.proxy import ProxyFile, ProxyImage


class ProxiesUnwritable(PortError):  # noqa: N818 -- reads as the state it names
    """The proxies folder takes no more: full, read-only, or not allowed. No single file is to blame."""


class ProxyStore(Protocol):
    """Keeps proxies under relative paths."""

    async def write(self, folder: str, images: Sequence[ProxyImage]) -> tuple[ProxyFile, ...]:
        """Write all images into one shard folder; when this returns they survive a loss of power.

        Each appears whole or not at all and replaces one of the same name. Two writers of equal
        content do not disturb each other. Raises `ProxiesUnwritable`.
        """
        ...

    async def holds(self, files: Sequence[ProxyFile]) -> bool:
        """Whether all of them are there, each with its size. Looks at each of them."""
        ...
