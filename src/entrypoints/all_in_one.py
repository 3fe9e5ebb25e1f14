"""API and worker as child processes of this one, which forwards signals and restarts nothing silently."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Self

SPARE: Final = timedelta(seconds=1.5)
"""What a child gets beyond its own grace before it is killed."""

CUT_SHORT: Final = 128 + signal.SIGINT

HURRY: Final = timedelta(seconds=1)
"""What the children get after a second signal: a worker needs half of it to hand back its work."""

Relay = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Ended:
    """A child that has ended: its exit code, or minus the signal that ended it."""

    name: str
    code: int


class Child:
    """One process of this program. It leaves by itself when this process dies, however that comes about."""

    def __init__(self, name: str, process: Process, relay: Relay | None) -> None:
        """Use `start`."""
        self.name = name
        self._process = process
        self._relaying = None if relay is None else asyncio.create_task(self._relay(relay))

    @classmethod
    async def start(
        cls, name: str, arguments: Sequence[str], environ: Mapping[str, str], relay: Relay | None
    ) -> Self:
        """Start `anichron <arguments>`. With `relay`, it gets each line that the child writes.

        The child is no part of the terminal's foreground group: a Ctrl-C reaches it through this process,
        once, and is not taken for a second one.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-P", "-m", "entrypoints", *arguments, "--leave-with-parent"),
            stdin=PIPE,
            stdout=DEVNULL,
            stderr=None if relay is None else PIPE,
            env=dict(environ),
            start_new_session=True,
        )
        return cls(name, process, relay)

    async def ended(self) -> Ended:
        """Wait for its end, and for its last line."""
        code = await self._process.wait()
        if self._relaying is not None:
            await asyncio.shield(self._relaying)
        return Ended(self.name, code)

    def send(self, number: int) -> None:
        """Send a signal, if it still lives."""
        with suppress(ProcessLookupError):
            self._process.send_signal(number)

    async def _relay(self, relay: Relay) -> None:
        assert self._process.stderr is not None  # noqa: S101 -- asked for a pipe above
        async for line in self._process.stderr:
            relay(line.decode(errors="replace").rstrip("\n"))


class Children:
    """The processes of one install. They end together."""

    def __init__(self, environ: Mapping[str, str], relay: Relay | None, *, grace: timedelta) -> None:
        """Start nothing yet."""
        self._environ = environ
        self._relay = relay
        self._grace = grace
        self._children: list[Child] = []
        self._asked = asyncio.Event()
        self._is_hurried = False

    def catch_signals(self) -> None:
        """From now on SIGTERM and SIGINT ask everybody to leave; a second one to be quick about it, a third ends everything."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._on_signal)

    async def asked_to_leave(self) -> None:
        """Wait until somebody has asked for that."""
        await self._asked.wait()

    @property
    def is_leaving(self) -> bool:
        """Whether somebody has asked for that."""
        return self._asked.is_set()

    async def start(self, name: str, *arguments: str) -> Child:
        """Start one more."""
        child = await Child.start(name, arguments, self._environ, self._relay)
        self._children.append(child)
        return child

    async def first_end(self) -> Ended:
        """Wait until any of them has ended."""
        waits = [asyncio.ensure_future(child.ended()) for child in self._children]
        done, others = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for other in others:
            other.cancel()
        return next(iter(done)).result()

    async def leave(self) -> None:
        """Ask all of them to leave, and see to it that they do."""
        self._send(signal.SIGTERM)
        waits = [asyncio.ensure_future(child.ended()) for child in self._children]
        if waits:
            _, late = await asyncio.wait(waits, timeout=(self._grace + SPARE).total_seconds())
            if late:
                self._send(signal.SIGKILL)
                await asyncio.wait(waits)
        if self._is_hurried:
            os._exit(CUT_SHORT)

    def _on_signal(self) -> None:
        if self._is_hurried:
            self._end()
        elif self._asked.is_set():
            self._is_hurried = True
            self._send(signal.SIGTERM)
            asyncio.get_running_loop().call_later(HURRY.total_seconds(), self._end)
        self._asked.set()

    def _end(self) -> None:
        self._send(signal.SIGKILL)
        os._exit(CUT_SHORT)

    def _send(self, number: int) -> None:
        for child in self._children:
            child.send(number)
