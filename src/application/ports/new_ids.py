"""Fresh identities and chances."""

from typing import Protocol
from uuid import UUID


class NewIds(Protocol):
    """Makes ids that sort by their time of making (UUIDv7)."""

    def next(self) -> UUID:
        """An id that was never given before."""
        ...


class Chance(Protocol):
    """A source of randomness."""

    def random(self) -> float:
        """A number in [0, 1)."""
        ...
