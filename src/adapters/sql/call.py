"""One piece of work on its way to a thread, and its answer's way back."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from enum import Enum, auto
from typing import Generic, TypeVar

from adapters.sql.errors import translated
from adapters.sql.session import Session
from application.ports.errors import StoreUnavailable

T = TypeVar("T")


class _Stage(Enum):
    WAITING = auto()
    RUNNING = auto()
    OVER = auto()


class _Steadfast(asyncio.Future[T]):
    """A future that nobody can cancel.

    A cancelled task that awaits it waits on for the answer, and is cancelled then (R14): what a thread has
    begun is applied whether or not somebody still wants it.
    """

    def cancel(self, msg: object = None) -> bool:  # noqa: ARG002 -- the signature of futures
        return False


class Call(Generic[T]):
    """Runs once, on a thread; its answer arrives on the event loop that made it, within the deadline.

    Not begun by the deadline, it never begins. Cut off in the middle, what it did may have been applied.
    """

    def __init__(self, work: Callable[[Session], T], deadline: timedelta) -> None:
        """Belong to the loop that runs now."""
        self._work = work
        self._deadline = deadline
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[T] = _Steadfast(loop=self._loop)
        self._lock = threading.Lock()
        self._stage = _Stage.WAITING
        self._session: Session | None = None
        self._late = False

    async def answer(self) -> T:
        """What the work returned. Raises what it raised, as ports raise it."""
        timer = self._loop.call_later(self._deadline.total_seconds(), self._run_out)
        try:
            return await self._future
        finally:
            timer.cancel()

    def run(self, session: Session) -> Callable[[], None]:
        """Do the work; what is returned delivers the answer."""
        try:
            # This may take as long as a connect does; nothing has been asked of the store yet.
            session.open()
            if not self._begins(session):
                return _nothing
            try:
                answer = self._work(session)
            finally:
                self._is_over()
        except BaseException as error:  # noqa: BLE001 -- every error belongs to the one who asked
            return self._failed(error)
        return lambda: self._deliver(lambda: self._future.set_result(answer))

    def _begins(self, session: Session) -> bool:
        with self._lock:
            if self._late:
                return False
            self._stage = _Stage.RUNNING
            self._session = session
            return True

    def _is_over(self) -> None:
        with self._lock:
            self._stage = _Stage.OVER

    def _run_out(self) -> None:
        """The deadline passed, on the loop."""
        with self._lock:
            if self._stage is _Stage.OVER:
                return
            self._late = True
            if self._session is not None:
                self._session.cut()
                return
        if not self._future.done():
            self._future.set_exception(self._too_late())

    def _failed(self, error: BaseException) -> Callable[[], None]:
        told = translated(error)
        if self._late and isinstance(told, StoreUnavailable):
            told = self._too_late()
        if told is not error:
            told.__cause__ = error
        return lambda: self._deliver(lambda: self._future.set_exception(told))

    def _too_late(self) -> StoreUnavailable:
        return StoreUnavailable(f"The store did not answer within {self._deadline.total_seconds():g} s.")

    def _deliver(self, outcome: Callable[[], None]) -> None:
        # A loop that is closed has nobody left who waits.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._take, outcome)

    def _take(self, outcome: Callable[[], None]) -> None:
        if not self._future.done():
            outcome()


def _nothing() -> None:
    """Deliver nothing: the one who asked was told already."""
