"""The originals on a mounted file system."""

import asyncio
import errno
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import FileIO
from typing import Final

from adapters.filesystem.beneath import READ_FILE, open_beneath, open_root
from adapters.filesystem.walk import signature_of, walk
from application.ports.file_tree import FoundBatch, NotOpened, OpenFile
from domain.media.failure import FailureReason
from domain.media.file import FileSignature, RelativePath

LINKED: Final = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})
NOT_A_FILE: Final = frozenset({errno.ENXIO, errno.ENODEV})


class MountedFileTree:
    """Blocking calls go to threads: a network share can stall any of them."""

    async def walk(self, root: str) -> AsyncIterator[FoundBatch]:
        """See the port."""
        batches = walk(root)
        # Never closed by hand: after a cancellation a thread may still be inside it. It closes when dropped.
        while (batch := await asyncio.to_thread(next, batches, None)) is not None:
            yield batch

    @asynccontextmanager
    async def opened(self, root: str, path: RelativePath) -> AsyncIterator[OpenFile | NotOpened]:
        """See the port."""
        # A file object, not a number: if this call is cancelled, the thread's answer is dropped and closes itself.
        opened = await asyncio.to_thread(_open, root, path)
        if isinstance(opened, NotOpened):
            yield opened
            return
        with opened:
            yield OpenFile(opened.fileno(), signature_of(os.fstat(opened.fileno())))

    async def signature(self, file: OpenFile) -> FileSignature:
        """See the port."""
        return signature_of(await asyncio.to_thread(os.fstat, file.descriptor))


def _open(root: str, path: RelativePath) -> FileIO | NotOpened:
    try:
        root_descriptor = open_root(root)
        try:
            descriptor = open_beneath(root_descriptor, path, READ_FILE)
        finally:
            os.close(root_descriptor)
    except OSError as error:
        return NotOpened(_reason(error))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return NotOpened(FailureReason.NOT_REGULAR)
    return FileIO(descriptor)


def _reason(error: OSError) -> FailureReason:
    if error.errno == errno.ENOENT:
        return FailureReason.VANISHED
    if error.errno in LINKED or error.errno in NOT_A_FILE:
        return FailureReason.NOT_REGULAR
    return FailureReason.UNREADABLE
