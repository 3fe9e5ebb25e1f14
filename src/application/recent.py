"""One question to the store however many ask, for a moment."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Generic, TypeVar

from application.ports.clock import Clock

T = TypeVar("T")


class Recent(Generic[T]):
    """What was answered a moment ago is good enough. A question under way is everybody's; a failed one nobody's."""

    def __init__(self, ask: Callable[[], Awaitable[T]], clock: Clock, *, fresh_for: timedelta) -> None:
        """Take the question, and for how long an answer will do."""
        self._ask = ask
        self._clock = clock
        self._fresh_for = fresh_for
        self._asking: asyncio.Task[T] | None = None
        self._asked_at = timedelta(0)

    async def value(self) -> T:
        """The answer, at most so old. Raises what the question raised."""
        asking = self._asking
        if asking is None or (asking.done() and self._is_stale(asking)):
            asking = asyncio.create_task(self._asked())
            # Whoever asked may be gone before it ends: then its error is nobody's.
            asking.add_done_callback(_looked_at)
            self._asking, self._asked_at = asking, self._clock.monotonic()
        # One who gives up waiting takes the answer from nobody else.
        return await asyncio.shield(asking)

    async def _asked(self) -> T:
        return await self._ask()

    def _is_stale(self, asked: asyncio.Task[T]) -> bool:
        if asked.cancelled() or asked.exception() is not None:
            return True
        return self._clock.monotonic() - self._asked_at >= self._fresh_for


def _looked_at(asked: asyncio.Task[T]) -> None:
    if not asked.cancelled():
        asked.exception()
