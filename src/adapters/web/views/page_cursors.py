"""Where a list goes on, as an opaque text that holds for one filter alone."""

import hashlib
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from uuid import UUID

from domain.feed import Epoch
from domain.ids import WorkItemId
from domain.page import Filter, PageCursor

VERSION = 2
FILTER_BYTES = 8
EPOCH_BYTES = 8
# Version, epoch, place among the changes (no time: two changes may be of one instant), id, filter.
LAYOUT = struct.Struct(f">B{EPOCH_BYTES}sQ16s{FILTER_BYTES}s")
LARGEST_POSITION = 2**63 - 1


@dataclass(frozen=True, slots=True)
class InvalidCursor:
    """Not made here, of another version, or of a list with another filter."""


def cursor_text(cursor: PageCursor, which: Filter) -> str:
    """The cursor as clients carry it."""
    packed = LAYOUT.pack(
        VERSION, cursor.epoch.encode("ascii"), cursor.position, cursor.id.bytes, _digest(which)
    )
    return urlsafe_b64encode(packed).rstrip(b"=").decode()


def cursor_from(text: str, which: Filter) -> PageCursor | InvalidCursor:
    """The cursor that a client brought back; garbage is an answer, not an error."""
    try:
        packed = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        version, epoch_bytes, position, id_bytes, digest = LAYOUT.unpack(packed)
        epoch = Epoch(epoch_bytes.decode("ascii"))
    except (ValueError, struct.error):
        return InvalidCursor()
    if version != VERSION or digest != _digest(which) or position > LARGEST_POSITION:
        return InvalidCursor()
    cursor = PageCursor(epoch, position, WorkItemId(UUID(bytes=id_bytes)))
    # The decoder overlooks characters that are none of its own: they were not put there here.
    return cursor if cursor_text(cursor, which) == text else InvalidCursor()


def _digest(which: Filter) -> bytes:
    asker = repr(which.requested_by)
    parts = ([*map(str, sorted(which.statuses))], sorted(which.kinds), str(which.storage_config_id), asker)
    return hashlib.blake2b(repr(parts).encode(), digest_size=FILTER_BYTES).digest()
