"""Identities and chances that a test can foretell."""

from itertools import count
from uuid import UUID


class CountingIds:
    """The `NewIds` of tests: well-formed UUIDv7 that count up from one, so they sort by their making."""

    def __init__(self, first: int = 1) -> None:
        """Begin with the id number `first`."""
        self._numbers = count(first)

    def next(self) -> UUID:
        """The next one."""
        return nth_id(next(self._numbers))


class FixedChance:
    """The `Chance` of tests: always the same number in [0, 1)."""

    def __init__(self, number: float = 0.0) -> None:
        """Answer `number` from now on."""
        self.number = number

    def random(self) -> float:
        """That number."""
        return self.number


def nth_id(number: int) -> UUID:
    """The id number `number`: 00000000-000n-7000-8000-000000000000."""
    return UUID(int=(number << 80) | (0x7 << 76) | (0b10 << 62))
