"""Lanes without threads: everything runs on the one loop of its test."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from application.ports.lanes import Raised, Returned

T = TypeVar("T")


class InlineErrand(Generic[T]):
    """Work under way as a task of the same loop."""

    def __init__(self, work: Callable[[], Awaitable[T]], *, heeds_cancel: bool = True) -> None:
        self._task = asyncio.create_task(_ended(work))
        self._heeds_cancel = heeds_cancel

    @property
    def is_over(self) -> bool:
        return self._task.done()

    def cancel(self) -> None:
        if self._heeds_cancel:
            self._task.cancel()

    async def end(self) -> Returned[T] | Raised:
        await asyncio.wait([self._task])
        return Raised(asyncio.CancelledError()) if self._task.cancelled() else self._task.result()


class InlineLane:
    """The `Lane` of tests. A plain function blocks everything, so it had better be short."""

    def __init__(self, name: str = "lane") -> None:
        self.name = name
        self.is_closed = False

    def start(self, work: Callable[[], Awaitable[T]]) -> InlineErrand[T]:
        assert not self.is_closed
        return InlineErrand(work)

    def start_blocking(self, work: Callable[[], T]) -> InlineErrand[T]:
        async def called() -> T:
            return work()

        assert not self.is_closed
        return InlineErrand(called, heeds_cancel=False)

    def close(self) -> None:
        self.is_closed = True


class InlineLanes:
    """The `Lanes` of tests; `opened` keeps them all."""

    def __init__(self) -> None:
        self.opened: list[InlineLane] = []

    def open(self, name: str) -> InlineLane:
        lane = InlineLane(name)
        self.opened.append(lane)
        return lane


async def _ended(work: Callable[[], Awaitable[T]]) -> Returned[T] | Raised:
    try:
        return Returned(await work())
    except BaseException as error:  # noqa: BLE001 -- whatever it is, it is how the work ended
        return Raised(error)
