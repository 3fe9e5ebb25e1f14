"""Sessions of people, each a chain of refresh tokens of which only the newest is good.

Tokens themselves are never kept, only their digests.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NewType, Protocol
from uuid import UUID

from domain.ids import SessionId, UserId

TokenDigest = NewType("TokenDigest", bytes)
"""What a store keeps of a token. Nobody gets from it to the token."""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token on its way to the store."""

    id: UUID
    digest: TokenDigest


@dataclass(frozen=True, slots=True, kw_only=True)
class Lives:
    """How long a session lasts unless it is used, and how long at most.

    `grace`: within it, a token that was just rotated is answered once more as it was, to a second tab
    that asked at the same instant, or to a client that lost the answer.
    """

    idle: timedelta
    longest: timedelta
    grace: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """Somebody who has just proved who they are, by the password of this hash."""

    id: SessionId
    user: UserId
    password_hash: str
    token: NewToken


@dataclass(frozen=True, slots=True)
class SessionBegun:
    """The session is there; its first token is good until then."""

    expires_at: datetime


@dataclass(frozen=True, slots=True)
class SignInOvertaken:
    """Meanwhile the account went, was disabled, or got another password: there is no session."""


@dataclass(frozen=True, slots=True)
class Rotated:
    """The successor is the session's good token now, until `expires_at`.

    Or it was so already, since the presented token had been rotated within the grace.
    """

    session: SessionId
    user: UserId
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Reused:
    """The presented token had been rotated before: two have it, one of them a thief. The session is ended."""

    session: SessionId
    user: UserId


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The session of this user is over."""

    user: UserId


@dataclass(frozen=True, slots=True)
class UnknownToken:
    """No session has this token, or not any more."""


class RefreshTokens(Protocol):
    """Begins, prolongs and ends sessions, by the store's clock. Every method is one atomic step."""

    async def begin(self, session: NewSession, lives: Lives) -> SessionBegun | SignInOvertaken:
        """Begin a session, if the account is enabled and still has the password that was proved."""
        ...

    async def rotate(
        self, presented: TokenDigest, successor: NewToken, lives: Lives
    ) -> Rotated | Reused | UnknownToken:
        """Put the successor in the presented token's place. Of several at once, exactly one does.

        A token that was rotated longer ago than the grace ends its session.
        """
        ...

    async def end(self, presented: TokenDigest) -> SessionEnded | UnknownToken:
        """End the session that has, or had, this token."""
        ...

    async def end_all(self, user: UserId) -> int:
        """End every session of a user; how many it were."""
        ...

    async def delete_expired(self, *, limit: int) -> int:
        """Delete at most `limit` tokens past their expiry, and sessions without any; how many tokens it were."""
        ...
