"""Where a list goes on, as an opaque text that holds for one filter alone."""

import hashlib
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from domain.ids import WorkItemId
from domain.page import Filter, PageCursor

VERSION = 1
FILTER_BYTES = 8
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
# Version, microseconds since 1970 (no formatted time: a text form would lose precision), id, filter.
LAYOUT = struct.Struct(f">Bq16s{FILTER_BYTES}s")


@dataclass(frozen=True, slots=True)
class InvalidCursor:
    """Not made here, of another version, or of a list with another filter."""


def cursor_text(cursor: PageCursor, which: Filter) -> str:
    """The cursor as clients carry it."""
    since = (cursor.updated_at - EPOCH) // MICROSECOND
    packed = LAYOUT.pack(VERSION, since, cursor.id.bytes, _digest(which))
    return urlsafe_b64encode(packed).rstrip(b"=").decode()


def cursor_from(text: str, which: Filter) -> PageCursor | InvalidCursor:
    """The cursor that a client brought back; garbage is an answer, not an error."""
    try:
        packed = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        version, since, id_bytes, digest = LAYOUT.unpack(packed)
        updated_at = EPOCH + since * MICROSECOND
    except (ValueError, struct.error, OverflowError):
        return InvalidCursor()
    if version != VERSION or digest != _digest(which):
        return InvalidCursor()
    cursor = PageCursor(updated_at=updated_at, id=WorkItemId(UUID(bytes=id_bytes)))
    # The decoder overlooks characters that are none of its own: they were not put there here.
    return cursor if cursor_text(cursor, which) == text else InvalidCursor()


def _digest(which: Filter) -> bytes:
    asker = repr(which.requested_by)
    parts = ([*map(str, sorted(which.statuses))], sorted(which.kinds), str(which.storage_config_id), asker)
    return hashlib.blake2b(repr(parts).encode(), digest_size=FILTER_BYTES).digest()
