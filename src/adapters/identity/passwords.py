"""Passwords by Argon2id."""

import asyncio
from contextlib import suppress
from functools import cached_property

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
        """Compare in constant time. Where there is nothing to compare with, something else is compared."""
        return await asyncio.to_thread(self._matches, password, password_hash)

    def is_outdated(self, password_hash: str) -> bool:
        """Whether its parameters are not those of today; nothing is said of what is no hash."""
        try:
            return self._hasher.check_needs_rehash(password_hash)
        except InvalidHashError:
            return False

    @cached_property
    def _nobodys(self) -> str:
        return self._hasher.hash("of nobody, only to take its time")

    def _matches(self, password: str, password_hash: str) -> bool:
        # Whichever account asks first pays for this, be it there or not.
        nobodys = self._nobodys
        try:
            return self._hasher.verify(password_hash, password)
        except InvalidHashError:
            return self._never(nobodys, password)
        except VerificationError:
            return False

    def _never(self, password_hash: str, password: str) -> bool:
        with suppress(VerificationError):
            self._hasher.verify(password_hash, password)
        return False
