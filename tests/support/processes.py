"""Worker processes, and waiting for what they do."""

import asyncio
import json
import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any, Final

from tests.support import probe_worker

SCALED: Final = {
    "WORKER__POLL_SECONDS": "0.25",
    "WORKER__HEARTBEAT_SECONDS": "0.1",
    "WORKER__LEASE_SECONDS": "3",
    "WORKER__SHUTDOWN_GRACE_SECONDS": "3",
    "WORKER__SETTLING_SECONDS": "0",
}
"""Leases of 3 s instead of 60 s, and everything else to match; photos need not be old."""

OWN_VARIABLES: Final = (
    "WORKER__",
    "API__",
    "JWT__",
    "SESSION__",
    "ADMIN__",
    "CORS__",
    "FORWARDED__",
    "LOG__",
    "DATABASE_",
    "POSTGRES_CONNECTION__",
    "ANICHRON_",
)

PATIENCE_SECONDS: Final = 30.0


def environment(url: str, **settings: str) -> dict[str, str]:
    """The environment of a process on this database, whatever this machine's own says about the program."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(OWN_VARIABLES)}
    return {**own, **SCALED, "DATABASE_URL": url, **settings}


@cache
def _forks() -> ForkServerContext:
    """Processes are forked off one that has loaded everything, which takes longer than most tests."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pytest", probe_worker.__name__])
    return context


class WorkerProcess:
    """A worker in a process of its own. Its log is read as it ends, or when a test asks for it."""

    def __init__(self, url: str, log: Path, *arguments: str, **settings: str) -> None:
        self._url = url
        self._log = log
        log.touch()
        self._process = _forks().Process(
            target=probe_worker.run, args=(environment(url, **settings), log, arguments)
        )
        self._process.start()

    @property
    def pid(self) -> int:
        pid = self._process.pid
        assert pid is not None
        return pid

    @property
    def lives(self) -> bool:
        return self._process.is_alive()

    def send(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    async def stand_still(self) -> None:
        """Stop it with SIGSTOP, but not while it holds the write lock of a SQLite file.

        Nobody could write then until it goes on, and nothing would be shown.
        """
        self.send(signal.SIGSTOP)
        while not _can_be_written(self._url):
            self.send(signal.SIGCONT)
            await asyncio.sleep(0.03)
            self.send(signal.SIGSTOP)

    async def exit_code(self, *, within: float = PATIENCE_SECONDS) -> int:
        """The code that it ends with; kills it where it does not end in time."""
        deadline = time.monotonic() + within
        while self._process.exitcode is None:
            if time.monotonic() > deadline:
                self.kill()
                raise AssertionError(f"still running after {within} s; its log:\n{self._log.read_text()}")
            await asyncio.sleep(0.005)
        return self._process.exitcode

    def kill(self) -> None:
        """End it the hard way, if it still lives."""
        if self.lives:
            self._process.kill()
        self._process.join()

    def log(self, event: str) -> list[dict[str, Any]]:
        """The lines about this event so far. Every whole line must be JSON."""
        lines = self._log.read_text().splitlines(keepends=True)
        entries = [json.loads(line) for line in lines if line.endswith("\n")]
        return [entry for entry in entries if entry["event"] == event]

    async def told(self, event: str, *, times: int = 1) -> None:
        """Wait until it has logged this event."""

        async def has_told() -> bool:
            assert self.lives or len(self.log(event)) >= times, self._log.read_text()
            return len(self.log(event)) >= times

        await eventually(has_told, what=f"log line {event!r}")


class Workers:
    """Starts worker processes on one database, and sees to it that none outlives its test."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url = url
        self._folder = folder
        self.started: list[WorkerProcess] = []

    def start(self, *arguments: str, **settings: str) -> WorkerProcess:
        """One more; `settings` are variables of its environment."""
        log = self._folder / f"worker-{len(self.started)}.log"
        worker = WorkerProcess(self._url, log, *arguments, **settings)
        self.started.append(worker)
        return worker


def _can_be_written(url: str) -> bool:
    if not url.startswith("sqlite:///"):
        return True
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=0.2, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
    return True


@contextmanager
def workers_on(url: str, folder: Path) -> Iterator[Workers]:
    """Worker processes for as long as the block lasts."""
    workers = Workers(url, folder)
    try:
        yield workers
    finally:
        for worker in workers.started:
            worker.kill()


async def eventually(
    holds: Callable[[], Awaitable[bool]], *, what: str, within: float = PATIENCE_SECONDS
) -> float:
    """Wait until it holds; how many seconds that took."""
    began = time.monotonic()
    while not await holds():
        if time.monotonic() - began > within:
            raise AssertionError(f"not within {within} s: {what}")
        await asyncio.sleep(0.01)
    return time.monotonic() - began
