"""Refresh tokens, as far as their cleanup goes."""

from typing import Protocol


class RefreshTokens(Protocol):
    """The stored (hashed) refresh tokens."""

    async def delete_expired(self, *, limit: int) -> int:
        """Delete at most `limit` tokens past their expiry by the store's clock; how many it were."""
        ...
