"""Who may use the admin API: judged by the database at each request, never by the token alone (S-33)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from application.ports.access_tokens import AccessTokens, InvalidToken
from application.ports.clock import Clock
from application.ports.users import Users
from domain.ids import UserId

LONGEST_TOKEN: Final = timedelta(hours=24)
"""A token that would be good for longer than this from now on is none of ours."""

CLOCK_SKEW: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Granted:
    """An admin asks; the token says so until `expires_at`."""

    user: UserId
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Unauthenticated:
    """Nobody who may sign in: the token is not good, or its account is gone or disabled."""


@dataclass(frozen=True, slots=True)
class NotAdmin:
    """Somebody who may sign in, but looks after nothing."""


AccessAnswer = Granted | Unauthenticated | NotAdmin


class AdminAccess:
    """Judges bearer tokens."""

    def __init__(self, tokens: AccessTokens, users: Users, clock: Clock) -> None:
        """Take what it needs."""
        self._tokens = tokens
        self._users = users
        self._clock = clock

    async def judge(self, token: str) -> AccessAnswer:
        """Whose token it is and whether they are an admin now. A bad token costs no look at the database."""
        bearer = self._tokens.read(token)
        if isinstance(bearer, InvalidToken):
            return Unauthenticated()
        if bearer.expires_at - self._clock.now() > LONGEST_TOKEN + CLOCK_SKEW:
            return Unauthenticated()
        user = await self._users.get(bearer.user)
        if user is None or user.is_disabled:
            return Unauthenticated()
        return Granted(user.id, bearer.expires_at) if user.may_administer else NotAdmin()
