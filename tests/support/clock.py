"""A clock that stands still until a test moves it."""

import asyncio
import heapq
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Final

START: Final = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)
"""When every test begins."""

SETTLING_TURNS: Final = 50
"""Turns of the event loop in which whoever was woken runs on to its next wait."""


class ManualClock:
    """The `Clock` of tests: nobody ever really waits. It moves sleepers as Trio's MockClock does.

    Sleepers may live on different event loops; each is woken on its own.
    """

    def __init__(self, start: datetime = START) -> None:
        """Stand still at `start`."""
        self._start = start
        self._elapsed = timedelta()
        self._order = count()
        self._sleepers: list[tuple[timedelta, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        """The start and all time that has passed since."""
        return self._start + self._elapsed

    def monotonic(self) -> timedelta:
        """All time that has passed since the start."""
        return self._elapsed

    async def sleep(self, duration: timedelta) -> None:
        """Wait until somebody has moved the clock that far. No time at all is one turn of the loop."""
        if duration <= timedelta():
            await asyncio.sleep(0)
            return
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._elapsed + duration, next(self._order), woken))
        await woken

    @property
    def sleepers(self) -> int:
        """How many wait for this clock."""
        return sum(not woken.done() for _, _, woken in self._sleepers)

    def advance(self, duration: timedelta) -> None:
        """Move on at once. Sleepers that are due by then are woken, earliest first; all see the new time."""
        self._elapsed += duration
        while self._sleepers and self._sleepers[0][0] <= self._elapsed:
            self._wake_next()

    async def run_for(self, duration: timedelta) -> None:
        """Let time pass: each sleeper wakes at its own instant and runs on, and may sleep and wake again."""
        end = self._elapsed + duration
        await settled()
        while self._sleepers and self._sleepers[0][0] <= end:
            self._elapsed = max(self._elapsed, self._sleepers[0][0])
            self._wake_next()
            await settled()
        self._elapsed = max(self._elapsed, end)

    def _wake_next(self) -> None:
        _, _, woken = heapq.heappop(self._sleepers)
        if not woken.done():
            woken.get_loop().call_soon_threadsafe(_wake, woken)


async def settled() -> None:
    """Give every task of this loop the turns it needs to reach its next wait."""
    for _ in range(SETTLING_TURNS):
        await asyncio.sleep(0)


def _wake(woken: asyncio.Future[None]) -> None:
    if not woken.done():
        woken.set_result(None)
