"""Column types that mean the same on both dialects."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.types import TypeDecorator

SQLITE_INSTANT = "%Y-%m-%dT%H:%M:%fZ"
"""SQLite's strftime format of an instant: UTC to the millisecond, of fixed width, so that text order is time order."""


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
        instant = datetime.fromisoformat(value) if isinstance(value, str) else value
        return instant.astimezone(UTC)


def iso_instant(instant: datetime) -> str:
    """The instant as SQLite rows hold it; what lies below a millisecond is cut off."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
