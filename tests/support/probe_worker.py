"""A worker process whose kinds exist for tests alone."""

import asyncio
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import ClassVar, NoReturn

from dependency_injector import providers

from adapters.telemetry.logs import set_up_logs
from application.handling import Run, Stopped
from application.registry import KindRegistry, Registration
from domain.kinds.kind import Kind, WorkPayload, WorkResult
from entrypoints.settings.loading import load
from entrypoints.wiring.worker import WorkerParts
from entrypoints.worker import run_worker
from tests.support.halting import halt_as_told


class ProbeKind(Kind):
    """How the handler is written."""

    ASYNC = "async-probe"
    PLAIN = "plain-probe"


class Manners(StrEnum):
    """How the handler behaves while it works."""

    WAITS = "waits"
    LOOKS = "looks"
    SWALLOWS = "swallows"
    BLOCKS = "blocks"
    SPINS = "spins"


@dataclass(frozen=True, slots=True)
class AsyncProbePayload(WorkPayload):
    """Work for so long, in this manner. What is tried again works for `seconds_again`."""

    kind: ClassVar[Kind] = ProbeKind.ASYNC
    manners: Manners
    seconds: float
    seconds_again: float = 0


@dataclass(frozen=True, slots=True)
class PlainProbePayload(WorkPayload):
    """The same for a plain function."""

    kind: ClassVar[Kind] = ProbeKind.PLAIN
    manners: Manners
    seconds: float


@dataclass(frozen=True, slots=True)
class ProbeResult(WorkResult):
    """Which process did it."""

    pid: int


class AsyncProbe:
    """A coroutine that is polite, or is not."""

    async def handle(self, run: Run[AsyncProbePayload]) -> ProbeResult | Stopped:
        run.progress.report(done=1, total=2)
        seconds = run.payload.seconds if run.id.attempt == 1 else run.payload.seconds_again
        match run.payload.manners:
            case Manners.WAITS:
                await asyncio.sleep(seconds)
            case Manners.LOOKS:
                await _looks(run, seconds)
            case Manners.SWALLOWS:
                await _swallows(seconds)
            case Manners.BLOCKS:
                time.sleep(seconds)  # noqa: ASYNC251 -- bad manners are the point
            case Manners.SPINS:
                _spins(seconds)
        if run.cancel.requested:
            return Stopped(ProbeResult(os.getpid()))
        return ProbeResult(os.getpid())


class PlainProbe:
    """A function that blocks its thread."""

    def handle(self, run: Run[PlainProbePayload]) -> ProbeResult:
        run.progress.report(done=1, total=2)
        if run.payload.manners is Manners.SPINS:
            _spins(run.payload.seconds)
        else:
            time.sleep(run.payload.seconds)
        return ProbeResult(os.getpid())


async def _looks(run: Run[AsyncProbePayload], seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and not run.cancel.requested:  # noqa: ASYNC110 -- the token is no event
        await asyncio.sleep(0.01)


async def _swallows(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            await asyncio.sleep(until - time.monotonic())
        except asyncio.CancelledError:
            continue


def _spins(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        sum(range(1_000))


def run(environ: Mapping[str, str], log: Path, arguments: Sequence[str]) -> NoReturn:
    """Be a worker in this process, with these settings, and log there; with `--own-kinds` one that crawls."""
    os.environ.clear()
    os.environ.update(environ)
    with log.open("wb") as stream:
        os.dup2(stream.fileno(), sys.stderr.fileno())
    set_up_logs(as_json=True)
    halt_as_told(arguments)
    parts = WorkerParts(settings=load(environ).settings, once="--once" in arguments)
    if "--own-kinds" not in arguments:
        registrations = [
            Registration(AsyncProbePayload, AsyncProbe()),
            Registration(PlainProbePayload, PlainProbe()),
        ]
        parts.registry.override(providers.Object(KindRegistry(registrations, ProbeKind)))
    run_worker(parts)
