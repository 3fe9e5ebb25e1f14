"""Refresh tokens, in SQL."""

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.tables import refresh_tokens
from application.ports.refresh_tokens import RefreshTokens


class SqlRefreshTokens(RefreshTokens):
    """The tokens of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def delete_expired(self, *, limit: int) -> int:
        expired = (
            sa.select(refresh_tokens.c.id)
            .where(refresh_tokens.c.expires_at <= self._database.dialect.as_of)
            .order_by(refresh_tokens.c.expires_at)
            .limit(limit)
        )
        delete = sa.delete(refresh_tokens).where(refresh_tokens.c.id.in_(expired))
        return await self._database.write(lambda connection: connection.execute(delete).rowcount)
