"""Column types that mean the same on both dialects."""

import logging
from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.types import TypeDecorator

log = logging.getLogger(__name__)

SQLITE_INSTANT: Final = "%Y-%m-%dT%H:%M:%fZ"
"""SQLite's strftime format of an instant: UTC to the millisecond, of fixed width, so that text order is time order."""

UNREADABLE: Final = datetime.fromtimestamp(0, UTC)
"""Stands for a text that is no instant: whoever wrote it there, the rows around it must stay readable."""


class Instant(TypeDecorator[datetime]):
    """An aware instant: timestamptz on PostgreSQL, ISO 8601 text in UTC with milliseconds on SQLite."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine[Any]:
        """Text where the engine has no type for an instant."""
        if dialect.name == "sqlite":
            return dialect.type_descriptor(sa.String(24))
        return dialect.type_descriptor(sa.DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | str | None:
        """Write it; a naive datetime is a programming error."""
        if value is None:
            return None
        if value.tzinfo is None:
            message = "an instant must know its time zone"
            raise ValueError(message)
        return iso_instant(value) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | str | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002 -- SQLAlchemy calls it so
        """Read it, in UTC."""
        if value is None:
            return None
        return instant_of(value) if isinstance(value, str) else value.astimezone(UTC)


def iso_instant(instant: datetime) -> str:
    """The instant as SQLite rows hold it; what lies below a millisecond is cut off."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def instant_of(text: str) -> datetime:
    """The instant that a SQLite row holds; without an offset it is in UTC."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        log.warning("a row holds %r for an instant", text[:40])
        return UNREADABLE
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)
