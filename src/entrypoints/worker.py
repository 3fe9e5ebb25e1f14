"""Runs a worker in this process: signals, the control loop, and the way out."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn, Protocol

from adapters.system.loops import new_loop
from application.ports.clock import Clock
from application.ports.errors import StoreUnavailable
from application.ports.journal import Journal, MachineFault
from application.ports.new_ids import Chance
from application.waiting import Patience, first_of
from application.worker import Worker
from application.worker_options import WorkerOptions
from entrypoints.signals import Signals, leave


class WorkerContainer(Protocol):
    """What a worker is made of. `open_worker` reaches for the store, and may raise `StoreUnavailable`."""

    @property
    def options(self) -> Callable[[], WorkerOptions]: ...
    @property
    def clock(self) -> Callable[[], Clock]: ...
    @property
    def chance(self) -> Callable[[], Chance]: ...
    @property
    def journal(self) -> Callable[[], Journal]: ...
    @property
    def open_worker(self) -> Callable[[], Awaitable[Worker]]: ...


def run_worker(container: WorkerContainer) -> NoReturn:
    """Work until done or told to leave, then end the process with code 0.

    Raises `StoreUnavailable` where the worker is to work once and cannot reach the store, and whatever
    else `open_worker` raises. A worker that is to stay waits for its store.
    """
    signals = Signals(grace_seconds=container.options().grace.total_seconds())
    signals.catch()
    new_loop().run_until_complete(_work(container, signals))
    leave(0)


async def _work(container: WorkerContainer, signals: Signals) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals.tell(lambda: loop.call_soon_threadsafe(stopping.set))
    opening = asyncio.create_task(_opened(container))
    await first_of(asyncio.wait([opening]), stopping.wait())
    if opening.done():
        worker = opening.result()
        signals.tell(lambda: loop.call_soon_threadsafe(worker.stop))
        await worker.run()


async def _opened(container: WorkerContainer) -> Worker:
    """The worker, as soon as the store lets it be made."""
    patience = Patience(container.clock(), container.chance())
    while True:
        try:
            return await container.open_worker()
        except StoreUnavailable as error:
            if container.options().once:
                raise
            container.journal().record(MachineFault("start", error))
            await patience.wait()
