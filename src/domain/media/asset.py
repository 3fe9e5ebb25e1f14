"""A media asset: one file of a library and all that is kept of it."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType
from uuid import UUID

from domain.ids import StorageConfigId
from domain.media.capture_date import CaptureDate
from domain.media.content import ContentHash, MediaType
from domain.media.file import FileSignature, RelativePath
from domain.media.metadata import Metadata
from domain.media.proxy import ProxyFile

AssetId = NewType("AssetId", UUID)


@dataclass(frozen=True, slots=True)
class KnownAsset:
    """As much of a stored asset as tells whether its file must be read again.

    `is_gone`: a crawl found no file at its path any more. It keeps its row, for the day that the file is back.
    """

    id: AssetId
    path: RelativePath
    signature: FileSignature
    content: ContentHash
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class MediaAsset:
    """There is one for each path of a library: copies in two folders are two assets.

    `seen_at` is when a crawl last wrote that its file is there: of a file that nothing happens to nothing is
    written. `paired_with` is the other half of a Live Photo.
    """

    id: AssetId
    storage_config_id: StorageConfigId
    path: RelativePath
    signature: FileSignature
    content: ContentHash
    media_type: MediaType
    captured: CaptureDate | None
    metadata: Metadata
    blurhash: str
    proxies: tuple[ProxyFile, ...]
    seen_at: datetime
    is_gone: bool = False
    paired_with: AssetId | None = None

    @property
    def known(self) -> KnownAsset:
        """As much of it as a crawl asks for."""
        return KnownAsset(self.id, self.path, self.signature, self.content, self.is_gone)
