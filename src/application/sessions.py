"""Staying signed in: short access tokens, and a refresh token that is good for one use (S-40)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import assert_never

from application.ports.access_tokens import AccessTokens, IssuedToken
from application.ports.new_ids import NewIds
from application.ports.refresh_tokens import (
    Lives,
    NewSession,
    NewToken,
    RefreshTokens,
    Reused,
    Rotated,
    SessionBegun,
    SessionEnded,
    SignInOvertaken,
    UnknownToken,
)
from application.ports.session_secrets import NoSecret, SessionSecret, SessionSecrets
from application.ports.users import Users
from domain.account import User
from domain.ids import SessionId


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The user may go on: with this access token, and with this refresh token for the time after it.

    `keep_for`: how long the refresh token is worth keeping, by whatever clock its holder has.
    """

    user: User
    access: IssuedToken
    refresh: str = field(repr=False)
    refresh_expires_at: datetime
    keep_for: timedelta


@dataclass(frozen=True, slots=True)
class SignedOut:
    """There is no session, or not any more: sign in."""


NoteReuse = Callable[[Reused], None]
"""Told of each refresh token that came twice: two have it, and one of them has stolen it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionParts:
    """What sessions are made of. `access_lasts`: how long an access token is good."""

    users: Users
    tokens: RefreshTokens
    access: AccessTokens
    secrets: SessionSecrets
    ids: NewIds
    lives: Lives
    access_lasts: timedelta
    note_reuse: NoteReuse


class Sessions:
    """Begins, prolongs and ends them."""

    def __init__(self, parts: SessionParts) -> None:
        """Take what it needs."""
        self._parts = parts

    async def begin(self, user: User) -> SignedIn | SignInOvertaken:
        """Begin a session of somebody who has just proved to be this user."""
        secret = self._parts.secrets.fresh()
        session = NewSession(
            id=SessionId(self._parts.ids.next()),
            user=user.id,
            password_hash=user.password_hash,
            token=self._new(secret),
        )
        match await self._parts.tokens.begin(session, self._parts.lives):
            case SessionBegun(expires_at=expires_at):
                return self._signed_in(user, secret, expires_at)
            case SignInOvertaken() as overtaken:
                return overtaken
            case answer:
                assert_never(answer)

    async def refresh(self, text: str) -> SignedIn | SignedOut:
        """Another access token, and the refresh token that is to be presented the next time.

        The presented one is used up by this. Presented again a moment later it is answered alike; presented
        again after that, it ends the session for whoever has it.
        """
        secret = self._parts.secrets.read(text)
        if isinstance(secret, NoSecret):
            return SignedOut()
        successor = self._parts.secrets.successor(secret)
        answer = await self._parts.tokens.rotate(secret.digest, self._new(successor), self._parts.lives)
        match answer:
            case Rotated():
                user = await self._parts.users.get(answer.user)
                if user is None or user.is_disabled:
                    return SignedOut()
                return self._signed_in(user, successor, answer.expires_at)
            case Reused():
                self._parts.note_reuse(answer)
                return SignedOut()
            case UnknownToken():
                return SignedOut()
            case _:
                assert_never(answer)

    async def end(self, text: str) -> SessionEnded | UnknownToken:
        """End the session that this refresh token is of, used up or not."""
        secret = self._parts.secrets.read(text)
        return UnknownToken() if isinstance(secret, NoSecret) else await self._parts.tokens.end(secret.digest)

    async def end_everywhere(self, text: str) -> SessionEnded | UnknownToken:
        """End every session of the user of this one."""
        answer = await self.end(text)
        if isinstance(answer, SessionEnded):
            await self._parts.tokens.end_all(answer.user)
        return answer

    def _new(self, secret: SessionSecret) -> NewToken:
        return NewToken(self._parts.ids.next(), secret.digest)

    def _signed_in(self, user: User, secret: SessionSecret, expires_at: datetime) -> SignedIn:
        access = self._parts.access.issue(user.id, lasts=self._parts.access_lasts)
        return SignedIn(user, access, secret.text, expires_at, keep_for=self._parts.lives.idle)
