"""Runs a worker in this process: signals, the control loop, and the way out."""

import asyncio
from typing import NoReturn

from adapters.system.loops import new_loop
from application.ports.errors import StoreUnavailable
from application.ports.journal import MachineFault
from application.waiting import Patience, first_of
from application.worker import Worker
from entrypoints.signals import Signals, leave
from entrypoints.wiring.worker import WorkerParts, opened


def run_worker(parts: WorkerParts) -> NoReturn:
    """Work until done or told to leave, then end the process: with code 0, unless somebody could not wait.

    Raises `StoreUnavailable` where the worker is to work once and cannot reach the store, and whatever
    else `opened` raises. A worker that is to stay waits for its store.
    """
    signals = Signals(grace_seconds=parts.options().grace.total_seconds())
    signals.catch()
    new_loop().run_until_complete(_work(parts, signals))
    leave(signals.code)


async def _work(parts: WorkerParts, signals: Signals) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals.tell(lambda: loop.call_soon_threadsafe(stopping.set))
    opening = asyncio.create_task(_opened_at_last(parts))
    await first_of(asyncio.wait([opening]), stopping.wait())
    if opening.done():
        worker = opening.result()
        signals.tell(
            lambda: loop.call_soon_threadsafe(worker.stop),
            hurry=lambda: loop.call_soon_threadsafe(worker.hurry),
        )
        await worker.run()


async def _opened_at_last(parts: WorkerParts) -> Worker:
    """The worker, as soon as the store lets it be made."""
    patience = Patience(parts.clock(), parts.chance())
    while True:
        try:
            return await opened(parts)
        except StoreUnavailable as error:
            if parts.options().once:
                raise
            parts.journal().record(MachineFault("start", error))
            await patience.wait()
