"""One decode child, as the worker sees it."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from adapters.media.wire import (
    LARGEST_REPLY,
    LENGTH_BYTES,
    DecodeLimits,
    Identify,
    ReadyReply,
    Render,
    Reply,
    Request,
    frame,
    replies,
)
from application.ports.file_tree import OpenFile
from application.ports.image_renderer import RendererUnavailable
from domain.media.failure import FailureReason

START_SECONDS: Final = 30.0
EXIT_SECONDS: Final = 5.0
PROGRAM: Final = "adapters.media.decode_child"

DEATHS: Final[Mapping[int, FailureReason]] = {
    -signal.SIGXCPU: FailureReason.TIMED_OUT,
    # Nobody here sent it, so it was the kernel, short of memory.
    -signal.SIGKILL: FailureReason.OUT_OF_MEMORY,
}


@dataclass(frozen=True, slots=True)
class Died:
    """The child is gone, and its last file is to blame."""

    reason: FailureReason


@dataclass(frozen=True, slots=True)
class Unheard:
    """The child was gone before it had read what it was asked: no file is to blame."""

    reason: FailureReason


class DecodeChild:
    """Started once, asked many times, never two things at once."""

    def __init__(self, limits: DecodeLimits) -> None:
        """Start the process; it gets nothing of the worker's environment. Raises `RendererUnavailable`."""
        self._limits = limits
        # The memory of one reply serves the next: fresh pages from the kernel cost more than what is copied to them.
        self._buffer = bytearray(LENGTH_BYTES)
        self.files = 0
        try:
            self._connection, theirs = socket.socketpair()
            with theirs:
                self._process = self._started(theirs)
        except OSError as error:
            # Nothing to run, no memory, too many processes or files: whatever it is, no file is to blame.
            why = os.strerror(error.errno or 0)
            raise RendererUnavailable(f"a decode child cannot be started ({why})") from error

    def _started(self, theirs: socket.socket) -> "subprocess.Popen[bytes]":
        self._connection.settimeout(0)
        # As much as the kernel allows: a child that has answered should not wait until somebody has read it all.
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LARGEST_REPLY)
        # Started from the thread of the event loop, which outlives every child: the kernel ends a child
        # with the *thread* that made it.
        try:
            return subprocess.Popen(  # noqa: S603 -- our own interpreter and program
                [
                    sys.executable,
                    *("-s", "-P", "-B", "-m", PROGRAM),
                    *(str(theirs.fileno()), str(os.getpid()), msgspec.json.encode(self._limits).decode()),
                ],
                pass_fds=(theirs.fileno(),),
                env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            self._connection.close()
            raise

    async def wait_ready(self) -> None:
        """Wait until it listens; raises `RendererUnavailable`."""
        try:
            async with asyncio.timeout(START_SECONDS):
                first = await self._receive()
        except (TimeoutError, EOFError, OSError, ValueError) as error:
            self.kill()
            raise RendererUnavailable("a decode child did not start") from error
        if first != ReadyReply():
            self.kill()
            raise RendererUnavailable("a decode child did not begin as it should")

    async def ask(self, request: Request, file: OpenFile) -> Reply | Died | Unheard:
        """Hand it a file, take its answer. After any but a `Reply`, or when cancelled, it is not to be asked again."""
        self.files += isinstance(request, Render)
        try:
            async with asyncio.timeout(self._patience(request, file)):
                # A small message to a child that waits for it: this never blocks.
                socket.send_fds(self._connection, [frame(request)], [file.descriptor])
                return await self._receive()
        except TimeoutError:
            self.kill()
            return Died(FailureReason.NO_ANSWER)
        except ConnectionError:
            # So the kernel tells it from an end: nobody is left to be sent to, or what was sent lay there unread.
            return Unheard(await self._cause_of_death())
        except (EOFError, OSError, ValueError):
            return Died(await self._cause_of_death())

    def kill(self) -> None:
        """End it at once."""
        self._connection.close()
        self._process.kill()
        # A process that hangs on a dead network share takes its time to go: nobody waits for it.
        threading.Thread(target=self._process.wait, daemon=True).start()

    def _patience(self, request: Request, file: OpenFile) -> float:
        if isinstance(request, Identify):
            return self._limits.wall_seconds + file.signature.size / self._limits.bytes_a_second
        return self._limits.wall_seconds

    async def _receive(self) -> Reply:
        length = int.from_bytes(await self._read(LENGTH_BYTES), "big")
        if length > LARGEST_REPLY:
            raise ValueError("a reply is too long")
        return replies.decode(await self._read(length))

    async def _read(self, length: int) -> memoryview:
        if length > len(self._buffer):
            self._buffer = bytearray(length)
        content = rest = memoryview(self._buffer)[:length]
        loop = asyncio.get_running_loop()
        while rest:
            read = await loop.sock_recv_into(self._connection, rest)
            if read == 0:
                raise EOFError
            rest = rest[read:]
        return content

    async def _cause_of_death(self) -> FailureReason:
        """Why it hung up. A child that talks nonsense but lives is ended, and counts as crashed."""
        self._connection.close()
        try:
            status = await asyncio.to_thread(self._process.wait, EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return FailureReason.DECODER_CRASHED
        return DEATHS.get(status, FailureReason.DECODER_CRASHED)
