"""How often a sign-in failed of late, so that passwords cannot be guessed by trying."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, NewType, Protocol

Suspect = NewType("Suspect", str)
"""What failures are counted by: an account, or an address. Stores keep no more than a digest of it."""

WINDOW: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Admitted:
    """The try is counted as a failure, until it is forgiven."""


@dataclass(frozen=True, slots=True)
class LockedOut:
    """There were too many failures; nothing was counted. Another try may be made after `wait`."""

    wait: timedelta


class SignInFailures(Protocol):
    """Counts in windows that begin with a first failure, by the store's clock, for all API processes together."""

    async def admit(self, limits: Mapping[Suspect, int]) -> Admitted | LockedOut:
        """Count a try of all these suspects, unless one of them is at its limit: one atomic step.

        Counted before it is made, so that tries at the same instant cannot be more than the limit.
        """
        ...

    async def forgive(self, suspects: frozenset[Suspect]) -> None:
        """Take one try of each of them back: it was none of those that have to be counted."""
        ...

    async def delete_expired(self, *, limit: int) -> int:
        """Delete at most `limit` counts whose window is over; how many it were."""
        ...
