"""A kind of work that exists for tests alone, and handlers that behave in every way."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from application.handling import Run, Stopped
from application.scheduling import PeriodicWork, Schedule
from domain.account import StorageConfig
from domain.ids import DedupKey
from domain.kinds.kind import Kind, WorkPayload, WorkResult


class ProbeKind(Kind):
    """The kinds of an install that only tests know."""

    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class ProbePayload(WorkPayload):
    """Asks for whatever the test's handler does."""

    kind: ClassVar[Kind] = ProbeKind.PROBE
    number: int = 0


@dataclass(frozen=True, slots=True)
class ProbeResult(WorkResult):
    """What it did."""

    done: float = 0


Doing = Callable[[Run[ProbePayload]], Awaitable[WorkResult | Stopped]]


class ProbeHandler:
    """Does what its test tells it. `runs` keeps what it was given; `begun` says that it was called."""

    def __init__(self, doing: Doing | None = None) -> None:
        self._doing = doing or quick
        self.runs: list[Run[ProbePayload]] = []
        self.begun = asyncio.Event()

    async def handle(self, run: Run[ProbePayload]) -> WorkResult | Stopped:
        self.runs.append(run)
        self.begun.set()
        return await self._doing(run)


async def quick(run: Run[ProbePayload]) -> ProbeResult:
    """Done at once."""
    return ProbeResult(run.payload.number)


async def for_ever(_: Run[ProbePayload]) -> ProbeResult:
    """Never done, but cancelled at once when that is asked."""
    return await asyncio.Future[ProbeResult]()


class Stubborn(ProbeHandler):
    """Swallows every cancellation, until it is let go."""

    def __init__(self) -> None:
        super().__init__(self._hold_out)
        self.let_go = asyncio.Event()

    async def _hold_out(self, run: Run[ProbePayload]) -> ProbeResult:
        while not self.let_go.is_set():
            with suppress(asyncio.CancelledError):
                await self.let_go.wait()
        return ProbeResult(run.payload.number)


class ProbeSchedule(Schedule):
    """Wants one probe an interval; none without an interval."""

    def __init__(self, interval: timedelta | None) -> None:
        self._interval = interval

    def wanted(self, served: Iterable[StorageConfig]) -> tuple[PeriodicWork, ...]:  # noqa: ARG002 -- unscoped
        if self._interval is None:
            return ()
        return (PeriodicWork(ProbePayload(), DedupKey("probe"), self._interval),)


NEVER = ProbeSchedule(None)
