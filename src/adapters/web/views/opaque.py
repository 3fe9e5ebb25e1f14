"""Cursors on the wire: texts that say nothing to clients, and that nobody but this API makes."""

import hashlib
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Any, Final

FILTER_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class InvalidCursor:
    """Not made here, of another version, or of a list with another filter."""


def packed_text(layout: struct.Struct, *values: object) -> str:
    """The values as one text for URLs."""
    return urlsafe_b64encode(layout.pack(*values)).rstrip(b"=").decode()


def unpacked(layout: struct.Struct, text: str) -> tuple[Any, ...] | InvalidCursor:
    """The values of a text that a client brought back; garbage is an answer, not an error."""
    try:
        values = layout.unpack(urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)))
    except (ValueError, struct.error):
        return InvalidCursor()
    # The decoder overlooks characters that are none of its own: they were not put there here.
    return values if packed_text(layout, *values) == text else InvalidCursor()


def digest_of(which: object) -> bytes:
    """Tells one filter from another."""
    return hashlib.blake2b(repr(which).encode(), digest_size=FILTER_BYTES).digest()
