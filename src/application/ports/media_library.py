"""The rows of the media library."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.ids import StorageConfigId, UserId
from domain.media.asset import KnownAsset, MediaAsset
from domain.media.capture_date import CaptureDate
from domain.media.content import ContentHash
from domain.media.file import FileSignature, RelativePath
from domain.media.memories import DayOfYear
from domain.media.moves import Move


@dataclass(frozen=True, slots=True)
class Added:
    """No asset had this path before."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """An asset had this path; it keeps its id and says now what its file says."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a library in the order of paths: beyond `after`, up to and with `until`.

    None is the beginning, or the end, of everything.
    """

    after: RelativePath | None = None
    until: RelativePath | None = None


@dataclass(frozen=True, slots=True)
class SeenAgain:
    """The asset's file is there with the content that it had, and has this signature now."""

    asset: KnownAsset
    signature: FileSignature


@dataclass(frozen=True, slots=True)
class MovedTo:
    """The asset's file is at another path now.

    `captured` is the date by the new name and by the file's own time: it counts where the content has none.
    """

    move: Move
    captured: CaptureDate | None


@dataclass(frozen=True, slots=True)
class Vanished:
    """The asset's file is not there any more. Its row, metadata and proxies stay."""

    asset: KnownAsset


AssetChange = SeenAgain | MovedTo | Vanished


class MediaLibrary(Protocol):
    """What is known of the files of each storage config. Every method is one atomic step."""

    async def known(self, config: StorageConfigId, stretch: Stretch, *, limit: int) -> tuple[KnownAsset, ...]:
        """The first `limit` assets of a stretch, gone ones too, in the order of paths, byte by byte."""
        ...

    async def holds(self, config: StorageConfigId, content: ContentHash) -> bool:
        """Whether any asset, gone or not, has this content."""
        ...

    async def gone(
        self, config: StorageConfigId, contents: Collection[ContentHash]
    ) -> tuple[KnownAsset, ...]:
        """The gone assets with one of these contents."""
        ...

    async def store(self, asset: MediaAsset) -> Added | Replaced:
        """Keep the asset with its metadata and proxies, in place of whatever its path had before.

        Storing the same again changes nothing, and what it was paired with it stays paired with.
        Raises `StoreRefused` when the store cannot bear its content.
        """
        ...

    async def change(self, config: StorageConfigId, changes: Sequence[AssetChange], *, at: datetime) -> None:
        """Write what became of files whose content did not change.

        A change is left out when somebody else has changed the asset since it was read, or when another asset
        is at the path already that one would move to.
        """
        ...


class MediaAssets(Protocol):
    """Whole assets, for those who look at them."""

    async def get(self, config: StorageConfigId, path: RelativePath) -> MediaAsset | None:
        """The asset at one path, gone or not, or None when there is none."""
        ...

    async def of_content(self, config: StorageConfigId, content: ContentHash) -> MediaAsset | None:
        """Some asset with this content, gone or not, or None when there is none. As quick among many as among few."""
        ...

    async def captured_on(
        self, days: Collection[DayOfYear], *, user: UserId | None
    ) -> tuple[MediaAsset, ...]:
        """Every asset captured on one of these days of any year, the newest first; gone ones do not count.

        `user` narrows it to the libraries of one person.
        """
        ...
