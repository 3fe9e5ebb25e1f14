"""What a proxy sweep has found, on the wire."""

import struct
from collections.abc import Collection
from typing import Annotated

from msgspec import Meta, Struct

from adapters.web.views.instants import Instant, instant_or_null
from adapters.web.views.opaque import FILTER_BYTES, InvalidCursor, digest_of, packed_text, unpacked
from domain.ids import WorkItemId
from domain.media.proxy_finding import Finding, FindingKind, FindingNumber
from domain.work_item import TERMINAL

VERSION = 1
# Version, number of the last finding shown, sweep and filter.
LAYOUT = struct.Struct(f">BI{FILTER_BYTES}s")
LARGEST_NUMBER = 2**31 - 1

Ended = Annotated[
    str,
    Meta(
        description=(
            "How the sweep has ended. cancelled: `partial` is true. failed: there are no findings, which does not say "
            "that nothing is wrong; the item says why."
        ),
        extra_json_schema={"enum": sorted(status.value for status in TERMINAL)},
    ),
]


class FindingView(Struct, frozen=True, kw_only=True, rename="camel"):
    """One thing that is wrong with the proxies. The path is relative to their folder, the size in bytes."""

    id: str
    what: str
    path: str
    size: int
    modified_at: Instant | None
    storage_config_id: str


class FindingsPageView(Struct, frozen=True, kw_only=True, rename="camel"):
    """Some findings, in the order in which they were found; a null `nextCursor` says that these are the last.

    `partial`: the sweep was cancelled before it had looked at everything.
    """

    items: tuple[FindingView, ...]
    next_cursor: str | None
    partial: bool
    status: Ended


def finding_view(finding: Finding) -> FindingView:
    """The finding as admins see it."""
    return FindingView(
        id=str(finding.number),
        what=finding.what.value,
        path=finding.path,
        size=finding.size,
        modified_at=instant_or_null(finding.modified_at),
        storage_config_id=str(finding.owner),
    )


def finding_cursor_text(last: FindingNumber, sweep: WorkItemId, kinds: Collection[FindingKind]) -> str:
    """Where the next page of this sweep's findings begins, as clients carry it."""
    return packed_text(LAYOUT, VERSION, last, _digest(sweep, kinds))


def finding_cursor_from(
    text: str, sweep: WorkItemId, kinds: Collection[FindingKind]
) -> FindingNumber | InvalidCursor:
    """What a client brought back. It holds for one sweep and one filter alone."""
    values = unpacked(LAYOUT, text)
    if isinstance(values, InvalidCursor):
        return values
    version, last, digest = values
    if version != VERSION or digest != _digest(sweep, kinds) or last > LARGEST_NUMBER:
        return InvalidCursor()
    return FindingNumber(last)


def _digest(sweep: WorkItemId, kinds: Collection[FindingKind]) -> bytes:
    return digest_of((str(sweep), sorted(kind.value for kind in kinds)))
