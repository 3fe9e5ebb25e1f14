"""Where work runs. Threads live behind this port; a simulation runs everything on one loop."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Returned(Generic[T]):
    """The work returned this."""

    value: T


@dataclass(frozen=True, slots=True)
class Raised:
    """The work raised this: any exception at all, `CancelledError` where it was cancelled."""

    error: BaseException


class Errand(Protocol[T]):
    """Work under way on a lane, as seen from the loop that started it."""

    @property
    def is_over(self) -> bool:
        """Whether the work has ended."""
        ...

    def cancel(self) -> None:
        """Cancel the coroutine there, and do not wait for it. A plain function is left to itself."""
        ...

    async def end(self) -> Returned[T] | Raised:
        """How the work ended. Whoever stops waiting for it does the work no harm."""
        ...


class Lane(Protocol):
    """A thread with an event loop of its own."""

    def start(self, work: Callable[[], Awaitable[T]]) -> Errand[T]:
        """Begin the coroutine there. Work that blocks the lane holds up this lane, and nobody else."""
        ...

    def start_blocking(self, work: Callable[[], T]) -> Errand[T]:
        """Begin the plain function on a thread of its own."""
        ...

    def close(self) -> None:
        """Let the thread end once it is idle. Work that never ends keeps it, and nobody waits for it."""
        ...


class Lanes(Protocol):
    """Opens lanes."""

    def open(self, name: str) -> Lane:
        """A lane that nobody else has; the name is for logs and debuggers."""
        ...
