"""Proxies: the small pictures made of an original, and where they lie."""

from dataclasses import dataclass, field
from enum import StrEnum

from domain.ids import StorageConfigId
from domain.media.content import ContentHash


class ProxyKind(StrEnum):
    """The sizes that are made. The value names the row and, with `.jpg`, the file."""

    THUMBNAIL = "thumbnail"
    PREVIEW = "preview"

    @property
    def longest_side(self) -> int:
        """Pixels; smaller originals are not enlarged."""
        return 300 if self is ProxyKind.THUMBNAIL else 1920

    @property
    def quality(self) -> int:
        """Of the JPEG encoder."""
        return 75 if self is ProxyKind.THUMBNAIL else 85


@dataclass(frozen=True, slots=True)
class ProxyImage:
    """A proxy before it is written: a JPEG in sRGB, upright, without any metadata."""

    kind: ProxyKind
    width: int
    height: int
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ProxyFile:
    """A proxy that lies in the proxies folder. `path` is relative to that folder."""

    kind: ProxyKind
    path: str
    size: int
    width: int
    height: int


def shard(config: StorageConfigId, content: ContentHash) -> str:
    """The folder of one content's proxies. Files of equal content in one library share it."""
    return f"{content.hexadecimal[:2]}/{config}-{content.hexadecimal}"


def proxy_file(folder: str, image: ProxyImage) -> ProxyFile:
    """Where and what an image will be in its shard folder."""
    return ProxyFile(
        kind=image.kind,
        path=f"{folder}/{image.kind}.jpg",
        size=len(image.content),
        width=image.width,
        height=image.height,
    )
