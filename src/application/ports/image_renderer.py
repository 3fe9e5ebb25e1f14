"""Reading and decoding of files that nobody vouches for."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from application.ports.errors import PortError
from application.ports.file_tree import OpenFile
from domain.media.capture_date import DateClaim
from domain.media.content import ContentHash, MediaType
from domain.media.failure import FailureReason
from domain.media.metadata import Metadata
from domain.media.proxy import ProxyImage


class RendererUnavailable(PortError):  # noqa: N818 -- reads as the state it names
    """The renderer itself does not work. No file is to blame."""


@dataclass(frozen=True, slots=True)
class Identified:
    """What the bytes are."""

    media_type: MediaType
    content: ContentHash


@dataclass(frozen=True, slots=True)
class Rendered:
    """A file's proxies, and what it says of itself.

    A video without a poster has no proxies and an empty blurhash.
    """

    metadata: Metadata
    date_claims: tuple[DateClaim, ...]
    proxies: tuple[ProxyImage, ...]
    blurhash: str


@dataclass(frozen=True, slots=True)
class Unrenderable:
    """This file cannot be read or decoded; others are not affected."""

    reason: FailureReason


class ImageRenderer(Protocol):
    """Bounded in memory, pixels and time, whatever a file holds: a bad file costs its caller an answer, never a crash.

    Calls may run side by side. A cancelled call ends its work at once. Every call may raise `RendererUnavailable`.
    """

    async def identify(self, file: OpenFile) -> Identified | Unrenderable:
        """Tell the media type by content, and hash all bytes. A type that cannot be rendered is not hashed."""
        ...

    async def render(self, file: OpenFile, media_type: MediaType) -> Rendered | Unrenderable:
        """Decode the first picture and make its proxies: upright, sRGB, never enlarged."""
        ...


Renderers = Callable[[], AbstractAsyncContextManager[ImageRenderer]]
"""Opens a renderer. Whatever it needs is gone when its context has ended."""
