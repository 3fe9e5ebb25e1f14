"""Sessions and their refresh tokens, in SQL."""

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.session_tables import refresh_tokens, sessions
from adapters.sql.tables import users
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


class SqlRefreshTokens(RefreshTokens):
    """The sessions of one database.

    Who ends a session deletes its row. By the foreign keys its tokens go with it, those included that a rotation
    was about to add.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, session: NewSession, lives: Lives) -> SessionBegun | SignInOvertaken:
        return await self._database.write(lambda connection: self._begin(connection, session, lives))

    async def rotate(
        self, presented: TokenDigest, successor: NewToken, lives: Lives
    ) -> Rotated | Reused | UnknownToken:
        return await self._database.write(
            lambda connection: self._rotate(connection, presented, successor, lives)
        )

    async def end(self, presented: TokenDigest) -> SessionEnded | UnknownToken:
        having = sa.select(refresh_tokens.c.session_id).where(refresh_tokens.c.token_hash == presented)
        delete = sa.delete(sessions).where(sessions.c.id == having.scalar_subquery())
        query = delete.returning(sessions.c.user_id)
        user = await self._database.write(lambda connection: connection.execute(query).scalar_one_or_none())
        return UnknownToken() if user is None else SessionEnded(UserId(user))

    async def end_all(self, user: UserId) -> int:
        return await self._database.write(lambda connection: ended_sessions(connection, user))

    async def delete_expired(self, *, limit: int) -> int:
        return await self._database.write(lambda connection: self._delete_expired(connection, limit))

    def _begin(
        self, connection: sa.Connection, session: NewSession, lives: Lives
    ) -> SessionBegun | SignInOvertaken:
        # Locked, so that a password that changes at this moment finds the session to be ended.
        proved = (users.c.id == session.user) & (users.c.password_hash == session.password_hash)
        held = sa.select(users.c.id).where(proved, ~users.c.is_disabled).with_for_update(read=True)
        if connection.execute(held).one_or_none() is None:
            return SignInOvertaken()
        now = self._database.dialect.now
        ends_at = self._database.dialect.later(now, lives.longest)
        new = {"id": session.id, "user_id": session.user, "created_at": now, "ends_at": ends_at}
        connection.execute(sa.insert(sessions).values(**new))
        return SessionBegun(self._insert(connection, session.id, session.token, lives))

    def _rotate(
        self, connection: sa.Connection, presented: TokenDigest, successor: NewToken, lives: Lives
    ) -> Rotated | Reused | UnknownToken:
        session = connection.execute(_holding(presented)).one_or_none()
        if session is None:
            return UnknownToken()
        id_, user = SessionId(session.id), UserId(session.user_id)
        # This is what makes it one of several: it finds the token good, or it finds nothing.
        good = (refresh_tokens.c.token_hash == presented) & refresh_tokens.c.rotated_at.is_(None)
        take = (
            sa.update(refresh_tokens)
            .where(good, refresh_tokens.c.expires_at > self._database.dialect.as_of)
            .values(rotated_at=self._database.dialect.now)
        )
        if connection.execute(take).rowcount == 1:
            return Rotated(id_, user, self._insert(connection, id_, successor, lives))
        if (seen := connection.execute(self._look(presented, lives.grace)).one_or_none()) is None:
            return UnknownToken()
        if not seen.is_recent:
            connection.execute(sa.delete(sessions).where(sessions.c.id == id_))
            return Reused(id_, user)
        same = sa.select(refresh_tokens.c.expires_at).where(refresh_tokens.c.token_hash == successor.digest)
        expires_at = connection.execute(same).scalar_one_or_none()
        # Where the secret of the install changed in between, nobody knows the successor any more.
        return UnknownToken() if expires_at is None else Rotated(id_, user, expires_at)

    def _look(self, presented: TokenDigest, grace: timedelta) -> sa.Select[Any]:
        """Whether a token that lives, but is not good, was so until a moment ago."""
        dialect = self._database.dialect
        recent = refresh_tokens.c.rotated_at > dialect.later(dialect.as_of, -grace)
        which = (refresh_tokens.c.token_hash == presented) & refresh_tokens.c.rotated_at.is_not(None)
        living = refresh_tokens.c.expires_at > dialect.as_of
        return sa.select(recent.label("is_recent")).where(which, living)

    def _insert(
        self, connection: sa.Connection, session: SessionId, token: NewToken, lives: Lives
    ) -> datetime:
        dialect = self._database.dialect
        idle = dialect.later(dialect.as_of, lives.idle)
        last = sa.case((sessions.c.ends_at < idle, sessions.c.ends_at), else_=idle)
        values = sa.select(
            sa.literal(token.id, sa.Uuid()),
            sessions.c.id,
            sa.literal(token.digest, sa.LargeBinary()),
            dialect.as_of,
            last,
        ).where(sessions.c.id == session)
        columns = ["id", "session_id", "token_hash", "created_at", "expires_at"]
        insert = sa.insert(refresh_tokens).from_select(columns, values)
        expires_at: datetime = connection.execute(insert.returning(refresh_tokens.c.expires_at)).scalar_one()
        return expires_at

    def _delete_expired(self, connection: sa.Connection, limit: int) -> int:
        expired = (
            sa.select(refresh_tokens.c.id)
            .where(refresh_tokens.c.expires_at <= self._database.dialect.as_of)
            .order_by(refresh_tokens.c.expires_at)
            .limit(limit)
        )
        delete = sa.delete(refresh_tokens).where(refresh_tokens.c.id.in_(expired))
        deleted = connection.execute(delete).rowcount
        has_token = sa.exists().where(refresh_tokens.c.session_id == sessions.c.id)
        over = sa.select(sessions.c.id).where(~has_token).order_by(sessions.c.id).limit(limit)
        connection.execute(sa.delete(sessions).where(sessions.c.id.in_(over)))
        return deleted


def ended_sessions(connection: sa.Connection, user: UserId) -> int:
    """End every session of a user, as a part of the transaction; how many it were."""
    return connection.execute(sa.delete(sessions).where(sessions.c.user_id == user)).rowcount


def _holding(presented: TokenDigest) -> sa.Select[Any]:
    """The session that has this token, held until the transaction ends.

    An ending takes the session before its tokens; so does this, or the two might wait for each other.
    """
    joined = sa.select(sessions.c.id, sessions.c.user_id).join(refresh_tokens)
    return joined.where(refresh_tokens.c.token_hash == presented).with_for_update(of=sessions)
