"""Ways to wait that end by themselves."""

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any, Final

from application.ports.clock import Clock
from application.ports.new_ids import Chance
from domain.retry import Backoff

FIRST_WAIT: Final = timedelta(milliseconds=250)
LONGEST_WAIT: Final = timedelta(seconds=30)


async def first_of(*waits: Coroutine[Any, Any, object]) -> None:
    """Wait until one of them is over. The others are cancelled, and not waited for.

    So none of them may be what must not be cut off: a store's verb, or a handler.
    """
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


class Patience:
    """Waits that double while the store does not answer, with jitter, so that workers do not come in step."""

    def __init__(self, clock: Clock, chance: Chance, *, longest: timedelta = LONGEST_WAIT) -> None:
        self._clock = clock
        self._chance = chance
        self._backoff = Backoff(max_retries=0, first=min(FIRST_WAIT, longest), longest=longest, jitter=0.5)
        self._failures = 0

    def after_failure(self) -> timedelta:
        """How long to wait before the next try."""
        self._failures += 1
        return self._backoff.wait_before(self._failures, chance=self._chance.random())

    def restored(self) -> None:
        """The store answered: the next wait is a short one again."""
        self._failures = 0

    async def wait(self) -> None:
        """Wait before the next try."""
        await self._clock.sleep(self.after_failure())


class Contact:
    """Since when the store has answered without a break, by the monotonic clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: timedelta | None = None

    def lost(self) -> None:
        """The store did not answer."""
        self._since = None

    def made(self) -> None:
        """The store answered."""
        if self._since is None:
            self._since = self._clock.monotonic()

    def lasts_for(self, duration: timedelta) -> bool:
        """Whether the store has answered for at least this long."""
        return self._since is not None and self._clock.monotonic() - self._since >= duration
