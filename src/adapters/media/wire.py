"""What the worker and a decode child say to each other over their socket.

One request at a time, with the file's open descriptor beside it; then one reply. A frame is a length and a
MessagePack document, checked against its type by whoever reads it: the child may have been taken over.
"""

import msgspec

from application.ports.image_renderer import Identified, Rendered
from domain.media.content import MediaType
from domain.media.failure import FailureReason

LENGTH_BYTES = 4
LARGEST_REQUEST = 4 * 1024
LARGEST_REPLY = 32 * 1024 * 1024


class Identify(msgspec.Struct, frozen=True, tag=True):
    """Tell type and hash."""


class Render(msgspec.Struct, frozen=True, tag=True):
    """Make proxies, read metadata."""

    media_type: MediaType
    may_be_huge: bool = False


class ReadyReply(msgspec.Struct, frozen=True, tag=True):
    """The child's first word: it is confined and listens."""


class IdentifiedReply(msgspec.Struct, frozen=True, tag=True):
    """Answers `Identify`."""

    identified: Identified


class RenderedReply(msgspec.Struct, frozen=True, tag=True):
    """Answers `Render`."""

    rendered: Rendered


class HugeReply(msgspec.Struct, frozen=True, tag=True):
    """Answers `Render` when the picture is so large that it must be the only one of its kind at work."""


class UnrenderableReply(msgspec.Struct, frozen=True, tag=True):
    """Answers both."""

    reason: FailureReason


Request = Identify | Render
Reply = ReadyReply | IdentifiedReply | RenderedReply | HugeReply | UnrenderableReply


class DecodeLimits(msgspec.Struct, frozen=True):
    """What one file may cost."""

    memory_bytes: int = 2 * 1024**3
    cpu_seconds: int = 20
    wall_seconds: float = 60.0
    largest_picture: int = 4 * 1024**3
    largest_video: int = 64 * 1024**3
    bytes_a_second: int = 10_000_000
    """What to expect of a slow share: a large file may take so much longer to be hashed."""
    bytes_a_cpu_second: int = 250_000_000
    """What to expect of a slow processor there."""
    most_pixels: int = 300_000_000
    most_pixels_scaled: int = 500_000_000
    """For baseline JPEG, which is decoded at a fraction of its size."""
    huge_pixels: int = 60_000_000
    """More than this is decoded one at a time."""


requests = msgspec.msgpack.Decoder(Request)
replies = msgspec.msgpack.Decoder(Reply)


def frame(message: Request | Reply) -> bytes:
    """A message as it travels."""
    document = msgspec.msgpack.encode(message)
    return len(document).to_bytes(LENGTH_BYTES, "big") + document
