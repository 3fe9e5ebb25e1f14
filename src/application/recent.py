"""One question to the store however many ask, for a moment."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeVar

from application.ports.clock import Clock

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Answer(Generic[T]):
    at: timedelta
    value: T


class Recent(Generic[T]):
    """What was answered a moment ago is good enough. A question under way is everybody's; a failed one nobody's."""

    def __init__(self, ask: Callable[[], Awaitable[T]], clock: Clock, *, fresh_for: timedelta) -> None:
        """Take the question, and for how long an answer will do."""
        self._ask = ask
        self._clock = clock
        self._fresh_for = fresh_for
        self._asking: asyncio.Task[T] | None = None
        self._asked_at = timedelta(0)
        self._answer: _Answer[T] | None = None

    async def value(self) -> T:
        """The answer, at most so old. Raises what the question raised."""
        # One who gives up waiting takes the answer from nobody else.
        return await asyncio.shield(self._fresh())

    def glance(self, *, good_for: timedelta) -> T | None:
        """The last answer, if there is one that is not older; waits for none, but asks where it has grown stale."""
        if self._answer is not None and self._clock.monotonic() - self._answer.at >= good_for:
            self._answer = None
        last = self._answer
        self._fresh()
        return None if last is None else last.value

    def _fresh(self) -> asyncio.Task[T]:
        asking = self._asking
        if asking is None or (asking.done() and self._is_stale(asking)):
            asking = asyncio.create_task(self._asked())
            # Whoever asked may be gone before it ends: then its error is nobody's.
            asking.add_done_callback(_looked_at)
            self._asking, self._asked_at = asking, self._clock.monotonic()
        return asking

    async def _asked(self) -> T:
        at = self._clock.monotonic()
        value = await self._ask()
        self._answer = _Answer(at, value)
        return value

    def _is_stale(self, asked: asyncio.Task[T]) -> bool:
        if asked.cancelled() or asked.exception() is not None:
            return True
        return self._clock.monotonic() - self._asked_at >= self._fresh_for


def _looked_at(asked: asyncio.Task[T]) -> None:
    if not asked.cancelled():
        asked.exception()
