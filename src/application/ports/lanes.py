"""Where coroutines run. Threads live behind this port; a simulation runs everything on one loop."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Lane(Protocol):
    """A thread with an event loop of its own."""

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run the coroutine there and bring its answer or exception back.

        When the caller is cancelled, the coroutine there is cancelled too, and not waited for: a handler
        that swallows its cancellation is left behind.
        """
        ...

    async def run_blocking(self, work: Callable[[], T]) -> T:
        """Run the plain function on a thread of its own and bring its answer or exception back."""
        ...
