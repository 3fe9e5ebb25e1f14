"""Passwords, which nothing keeps as they are."""

from typing import Protocol


class Passwords(Protocol):
    """Turns passwords into hashes that cost an attacker dearly, and compares."""

    async def hashed(self, password: str) -> str:
        """A salted hash, with all that is needed to compare it later."""
        ...

    async def match(self, password: str, password_hash: str) -> bool:
        """Whether the hash was made of this password. False for a hash that no password has."""
        ...
