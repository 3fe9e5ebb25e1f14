"""Lanes made of threads."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from itertools import count
from typing import TypeVar

from application.ports.lanes import Errand, Lane, Lanes, Raised, Returned

T = TypeVar("T")
NewLoop = Callable[[], asyncio.AbstractEventLoop]


class ThreadErrand(Errand[T]):
    """Work on another thread. Everything but `run` and `arrive` belongs to the loop that started it."""

    def __init__(self) -> None:
        self._home = asyncio.get_running_loop()
        self._over: asyncio.Future[Returned[T] | Raised] = self._home.create_future()
        self._cancel: Callable[[], object] = lambda: None

    @property
    def is_over(self) -> bool:
        return self._over.done()

    def cancel(self) -> None:
        self._cancel()

    async def end(self) -> Returned[T] | Raised:
        return await asyncio.shield(self._over)

    def cancel_by(self, cancel: Callable[[], object]) -> None:
        """How the work can be cancelled."""
        self._cancel = cancel

    def arrive(self, end: Returned[T] | Raised) -> None:
        """Bring home how the work ended, from whichever thread."""
        # A home that has closed meanwhile left this work behind.
        with suppress(RuntimeError):
            self._home.call_soon_threadsafe(self._over.set_result, end)

    def arrive_cancelled(self, task: asyncio.Task[None]) -> None:
        """The same for work that was cancelled before its first step, and so could not tell itself."""
        if task.cancelled():
            self.arrive(Raised(asyncio.CancelledError()))


class ThreadLane(Lane):
    """A daemon thread with an event loop of its own: a process that must end does not wait for it (R22)."""

    def __init__(self, name: str, new_loop: NewLoop) -> None:
        self._name = name
        self._loop = new_loop()
        self._under_way: set[asyncio.Task[None]] = set()
        threading.Thread(target=self._live, name=name, daemon=True).start()

    def start(self, work: Callable[[], Awaitable[T]]) -> ThreadErrand[T]:
        errand = ThreadErrand[T]()
        begun: list[asyncio.Task[None]] = []

        def cancel() -> None:
            begun[0].cancel()

        self._soon(lambda: begun.append(self._begin(work, errand)))
        errand.cancel_by(lambda: self._soon(cancel))
        return errand

    def start_blocking(self, work: Callable[[], T]) -> ThreadErrand[T]:
        errand = ThreadErrand[T]()
        thread = threading.Thread(
            target=lambda: errand.arrive(_called(work)), name=f"{self._name}-blocking", daemon=True
        )
        thread.start()
        return errand

    def close(self) -> None:
        self._soon(self._loop.stop)

    def _soon(self, call: Callable[[], object]) -> None:
        # On a lane that has been closed nothing is left to begin or to cancel.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call)

    def _begin(self, work: Callable[[], Awaitable[T]], errand: ThreadErrand[T]) -> asyncio.Task[None]:
        task = self._loop.create_task(_run(work, errand))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        task.add_done_callback(errand.arrive_cancelled)
        return task

    def _live(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        left = tuple(self._under_way)
        for task in left:
            task.cancel()
        self._loop.run_until_complete(_all_over(left))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()


class ThreadLanes(Lanes):
    """The real `Lanes`."""

    def __init__(self, new_loop: NewLoop = asyncio.new_event_loop) -> None:
        self._new_loop = new_loop
        self._numbers = count(1)

    def open(self, name: str) -> ThreadLane:
        return ThreadLane(f"{name}-{next(self._numbers)}", self._new_loop)


async def _all_over(tasks: Iterable[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


async def _run(work: Callable[[], Awaitable[T]], errand: ThreadErrand[T]) -> None:
    try:
        errand.arrive(Returned(await work()))
    except BaseException as error:  # noqa: BLE001 -- SystemExit too must neither get lost nor end the lane
        errand.arrive(Raised(error))


def _called(work: Callable[[], T]) -> Returned[T] | Raised:
    try:
        return Returned(work())
    except BaseException as error:  # noqa: BLE001 -- whatever it is, it is how the work ended
        return Raised(error)
