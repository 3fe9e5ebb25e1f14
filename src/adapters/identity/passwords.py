"""Passwords by Argon2id."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from application.ports.passwords import Passwords


class ArgonPasswords(Passwords):
    """Hashes take their time, so they are made off the event loop."""

    def __init__(self) -> None:
        """Use the library's parameters, which follow RFC 9106."""
        self._hasher = PasswordHasher()

    async def hashed(self, password: str) -> str:
        """The hash with its salt and parameters."""
        return await asyncio.to_thread(self._hasher.hash, password)

    async def match(self, password: str, password_hash: str) -> bool:
        """Compare in constant time."""
        return await asyncio.to_thread(self._matches, password, password_hash)

    def _matches(self, password: str, password_hash: str) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False
