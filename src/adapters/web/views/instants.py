"""Instants on the wire."""

from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta

Instant = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""RFC 3339 in UTC with milliseconds: `2026-11-29T14:03:10.120Z`."""


def instant(moment: datetime) -> Instant:
    """The moment as it travels; what lies below a millisecond is cut off."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def instant_or_null(moment: datetime | None) -> Instant | None:
    """The same for a moment that may not have come."""
    return None if moment is None else instant(moment)
