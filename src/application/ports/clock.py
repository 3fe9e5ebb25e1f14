"""Time, for display and for waiting. Leases and due-ness are judged by the store's own clock (S-16)."""

from datetime import datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """The host's clock. The simulation and the tests bring their own."""

    def now(self) -> datetime:
        """The host's idea of the time, in UTC. For display only."""
        ...

    def monotonic(self) -> timedelta:
        """Time since some fixed instant; never goes back and counts a suspended host (R9)."""
        ...

    async def sleep(self, duration: timedelta) -> None:
        """Wait on the event loop that runs now."""
        ...
