"""Passwords, which nothing keeps as they are."""

from typing import Final, Protocol

NO_PASSWORD: Final = "!"  # noqa: S105 -- a hash that no password has


class Passwords(Protocol):
    """Turns passwords into hashes that cost an attacker dearly, and compares."""

    async def hashed(self, password: str) -> str:
        """A salted hash, with all that is needed to compare it later."""
        ...

    async def match(self, password: str, password_hash: str) -> bool:
        """Whether the hash was made of this password. False for a hash that no password has.

        Both answers take as long as any other: who waits for them learns nothing of the hash.
        """
        ...

    def is_outdated(self, password_hash: str) -> bool:
        """Whether a hash made today would cost an attacker something else."""
        ...
