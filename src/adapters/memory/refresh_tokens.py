"""Sessions and their refresh tokens, in memory."""

from dataclasses import replace
from datetime import datetime

from adapters.memory.database import MemoryDatabase
from adapters.memory.session_rows import SessionRow, TokenRow
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
    TokenDigest,
    UnknownToken,
)
from domain.ids import SessionId, UserId


class MemoryRefreshTokens(RefreshTokens):
    """The sessions of one memory database."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def begin(self, session: NewSession, lives: Lives) -> SessionBegun | SignInOvertaken:
        database = self._database
        async with database.step():
            user = database.users.get(session.user)
            if user is None or user.is_disabled or user.password_hash != session.password_hash:
                return SignInOvertaken()
            database.sessions[session.id] = SessionRow(session.user, database.now() + lives.longest)
            return SessionBegun(self._insert(session.id, session.token, lives))

    async def rotate(
        self, presented: TokenDigest, successor: NewToken, lives: Lives
    ) -> Rotated | Reused | UnknownToken:
        database = self._database
        async with database.step():
            now = database.now()
            token = database.refresh_tokens.get(presented)
            if token is None or token.expires_at <= now:
                return UnknownToken()
            user = database.sessions[token.session].user
            if token.rotated_at is None:
                database.refresh_tokens[presented] = replace(token, rotated_at=now)
                return Rotated(token.session, user, self._insert(token.session, successor, lives))
            if token.rotated_at <= now - lives.grace:
                database.end_sessions({token.session})
                return Reused(token.session, user)
            same = database.refresh_tokens.get(successor.digest)
            return UnknownToken() if same is None else Rotated(token.session, user, same.expires_at)

    async def end(self, presented: TokenDigest) -> SessionEnded | UnknownToken:
        database = self._database
        async with database.step():
            token = database.refresh_tokens.get(presented)
            if token is None:
                return UnknownToken()
            user = database.sessions[token.session].user
            database.end_sessions({token.session})
            return SessionEnded(user)

    async def end_all(self, user: UserId) -> int:
        async with self._database.step():
            sessions = self._database.sessions_of(user)
            self._database.end_sessions(sessions)
            return len(sessions)

    async def delete_expired(self, *, limit: int) -> int:
        database = self._database
        async with database.step():
            now = database.now()
            tokens = database.refresh_tokens
            expired = sorted(
                (row.expires_at, digest) for digest, row in tokens.items() if row.expires_at <= now
            )
            for _, digest in expired[:limit]:
                del tokens[digest]
            database.end_sessions(database.sessions.keys() - {row.session for row in tokens.values()})
            return len(expired[:limit])

    def _insert(self, session: SessionId, token: NewToken, lives: Lives) -> datetime:
        database = self._database
        expires_at = min(database.now() + lives.idle, database.sessions[session].ends_at)
        database.refresh_tokens[token.digest] = TokenRow(token.id, session, expires_at)
        return expires_at
