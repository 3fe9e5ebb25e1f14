"""The rows of the media library."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.ids import StorageConfigId
from domain.media.asset import KnownAsset, MediaAsset
from domain.media.file import RelativePath


@dataclass(frozen=True, slots=True)
class Added:
    """No asset had this path before."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """An asset had this path; it keeps its id and says now what its file says."""


class MediaLibrary(Protocol):
    """What is known of the files of each storage config. Every method is one atomic step."""

    async def known(
        self, config: StorageConfigId, paths: Sequence[RelativePath]
    ) -> Mapping[RelativePath, KnownAsset]:
        """The assets at these paths; a path without one is absent."""
        ...

    async def get(self, config: StorageConfigId, path: RelativePath) -> MediaAsset | None:
        """The whole asset at one path, or None when there is none."""
        ...

    async def mark_seen(self, assets: Sequence[KnownAsset], *, at: datetime) -> None:
        """Their files are there, with these signatures and unchanged content. Nothing else of them changes."""
        ...

    async def store(self, asset: MediaAsset) -> Added | Replaced:
        """Keep the asset with its metadata and proxies, in place of whatever its path had before.

        Storing the same again changes nothing. Raises `StoreRefused` when the store cannot bear its content.
        """
        ...
