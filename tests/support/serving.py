"""API processes, and the way to them."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import Final

import httpx

from tests.support.processes import environment

PATIENCE_SECONDS: Final = 90.0
LIFE: Final = "/api/v1/livez"
HEALTH: Final = "/api/v1/healthz"


class ApiProcess:
    """An API in a process of its own."""

    def __init__(self, url: str, port: int, **settings: str) -> None:
        """Start it on this database; `settings` are variables of its environment."""
        self.port = port
        # A file, not a pipe: nobody reads while it runs.
        self._said = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 -- closed by `kill`
        self._process = subprocess.Popen(
            [sys.executable, "-m", "entrypoints", "api"],
            env=environment(url, API__PORT=str(port), **settings),
            stdin=subprocess.DEVNULL,
            stderr=self._said,
        )

    @property
    def said(self) -> str:
        """All that it has said so far."""
        self._said.seek(0)
        return self._said.read()

    def get(self, path: str, **headers: str) -> httpx.Response:
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=PATIENCE_SECONDS)

    def answers(self, status: int, path: str = HEALTH) -> bool:
        """Whether this is what it answers now."""
        try:
            return self.get(path).status_code == status
        except httpx.TransportError:
            assert self._process.poll() is None, self.said
            return False

    def stop(self) -> tuple[int, float]:
        """Ask it to leave: its exit code, and how many seconds it took."""
        began = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(PATIENCE_SECONDS)
        return code, time.monotonic() - began

    def ended(self) -> tuple[int, str]:
        """Wait until it has left by itself: its exit code, and all that it said."""
        try:
            return self._process.wait(PATIENCE_SECONDS), self.said
        finally:
            self.kill()

    def kill(self) -> None:
        """End it the hard way, if it still lives."""
        self._process.kill()
        self._process.wait()
        self._said.close()


@contextmanager
def serving(url: str, **settings: str) -> Iterator[ApiProcess]:
    """The API on a free port, from when it answers until the end of the block."""
    api = ApiProcess(url, a_free_port(), **settings)
    try:
        until(lambda: api.answers(200, LIFE), what="the API answers")
        yield api
    finally:
        api.kill()


def a_free_port() -> int:
    """A port on which nobody listens at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def until(holds: Callable[[], bool], *, what: str) -> None:
    """Wait until it does."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, f"not within {PATIENCE_SECONDS} s: {what}"
        time.sleep(0.05)
