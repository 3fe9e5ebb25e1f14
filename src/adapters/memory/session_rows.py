"""The rows around signing in, in memory."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from domain.ids import SessionId, UserId


@dataclass(frozen=True, slots=True)
class SessionRow:
    """Somebody signed in."""

    user: UserId
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A refresh token. Seen again after it was rotated, it ends its session."""

    id: UUID
    session: SessionId
    expires_at: datetime
    rotated_at: datetime | None = None
