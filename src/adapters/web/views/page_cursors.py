"""Where a list goes on, as an opaque text that holds for one filter alone."""

import struct
from uuid import UUID

from adapters.web.views.opaque import FILTER_BYTES, InvalidCursor, digest_of, packed_text, unpacked
from domain.feed import Epoch
from domain.ids import WorkItemId
from domain.page import Filter, PageCursor

VERSION = 2
EPOCH_BYTES = 8
# Version, epoch, place among the changes (no time: two changes may be of one instant), id, filter.
LAYOUT = struct.Struct(f">B{EPOCH_BYTES}sQ16s{FILTER_BYTES}s")
LARGEST_POSITION = 2**63 - 1


def cursor_text(cursor: PageCursor, which: Filter) -> str:
    """The cursor as clients carry it."""
    return packed_text(
        LAYOUT, VERSION, cursor.epoch.encode("ascii"), cursor.position, cursor.id.bytes, _digest(which)
    )


def cursor_from(text: str, which: Filter) -> PageCursor | InvalidCursor:
    """The cursor that a client brought back; garbage is an answer, not an error."""
    values = unpacked(LAYOUT, text)
    if isinstance(values, InvalidCursor):
        return values
    version, epoch, position, id_bytes, digest = values
    if version != VERSION or digest != _digest(which) or position > LARGEST_POSITION or not epoch.isascii():
        return InvalidCursor()
    return PageCursor(Epoch(epoch.decode("ascii")), position, WorkItemId(UUID(bytes=id_bytes)))


def _digest(which: Filter) -> bytes:
    asker = repr(which.requested_by)
    return digest_of(
        ([*map(str, sorted(which.statuses))], sorted(which.kinds), str(which.storage_config_id), asker)
    )
