"""Bearer tokens: short-lived proof of who is asking."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from domain.ids import UserId


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token, shown once; whoever holds it is taken for its user until `expires_at`."""

    text: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who a genuine token speaks for, and until when. What they may do is for the store to say."""

    user: UserId
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class InvalidToken:
    """Forged, expired, of another install, or no token at all."""


class AccessTokens(Protocol):
    """Issues and reads tokens."""

    def issue(self, user: UserId, *, lasts: timedelta) -> IssuedToken:
        """A token for this user from now on."""
        ...

    def read(self, text: str) -> Bearer | InvalidToken:
        """What a token says, if this install issued it and its time is not over. Never raises."""
        ...
