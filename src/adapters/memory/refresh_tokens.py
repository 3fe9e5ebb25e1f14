"""Refresh tokens, in memory: nothing but their expiry is kept."""

from datetime import datetime
from uuid import UUID

from adapters.memory.database import MemoryDatabase
from application.ports.refresh_tokens import RefreshTokens


class MemoryRefreshTokens(RefreshTokens):
    """The tokens of one memory database."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database
        self.expiries: dict[UUID, datetime] = database.table()

    async def delete_expired(self, *, limit: int) -> int:
        async with self._database.step():
            now = self._database.now()
            expired = sorted((until, token) for token, until in self.expiries.items() if until <= now)
            for _, token in expired[:limit]:
                del self.expiries[token]
            return len(expired[:limit])
