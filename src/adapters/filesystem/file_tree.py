"""The originals on a mounted file system."""

import asyncio
import errno
import os
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Final

from adapters.filesystem.absence import absent
from adapters.filesystem.beneath import READ_FILE, open_beneath, open_root
from adapters.filesystem.walk import WalkRules, is_regular, signature_of, walk
from application.ports.file_tree import (
    FileTree,
    FoundBatch,
    NotOpened,
    OpenFile,
    RootMark,
    RootUnreadable,
)
from domain.media.failure import FailureReason
from domain.media.file import FileSignature, RelativePath

LINKED: Final = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})
NOT_A_FILE: Final = frozenset({errno.ENXIO, errno.ENODEV})
EXHAUSTED: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""What this process, or the machine, has no more of. The next file would fail as well."""


class MountedFileTree(FileTree):
    """Blocking calls go to threads: a network share can stall any of them."""

    def __init__(self, rules: WalkRules | None = None) -> None:
        """Take what is looked at and what is not."""
        self._rules = rules or WalkRules()

    async def mark(self, root: str) -> RootMark:
        return await asyncio.to_thread(_mark, root)

    async def gone(self, root: str, paths: Collection[RelativePath]) -> frozenset[RelativePath]:
        return await asyncio.to_thread(absent, root, paths, self._rules)

    async def walk(self, root: str) -> AsyncIterator[FoundBatch]:
        batches = walk(root, self._rules)
        # Never closed by hand: after a cancellation a thread may still be inside it. It closes when dropped.
        while (batch := await asyncio.to_thread(next, batches, None)) is not None:
            yield batch

    @asynccontextmanager
    async def opened(self, root: str, path: RelativePath) -> AsyncIterator[OpenFile | NotOpened]:
        opening = asyncio.get_running_loop().run_in_executor(None, _open, root, path)
        try:
            opened = await asyncio.shield(opening)
        except asyncio.CancelledError:
            # The thread cannot be stopped: what it opens is closed when it comes.
            opening.add_done_callback(lambda done: _close(done.result()))
            raise
        try:
            yield opened
        finally:
            _close(opened)

    async def signature(self, file: OpenFile) -> FileSignature:
        return signature_of(await asyncio.to_thread(os.fstat, file.descriptor))


def _mark(root: str) -> RootMark:
    try:
        descriptor = open_root(root)
        try:
            status = os.fstat(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise RootUnreadable(error.strerror or "the root cannot be opened") from error
    return RootMark(status.st_dev, status.st_ino)


def _open(root: str, path: RelativePath) -> OpenFile | NotOpened:
    try:
        root_descriptor = open_root(root)
        try:
            descriptor = open_beneath(root_descriptor, path, READ_FILE)
        finally:
            os.close(root_descriptor)
    except OSError as error:
        if error.errno in EXHAUSTED:
            raise RootUnreadable(os.strerror(error.errno)) from error
        return NotOpened(_reason(error))
    status = os.fstat(descriptor)
    if not is_regular(status):
        os.close(descriptor)
        return NotOpened(FailureReason.NOT_REGULAR)
    return OpenFile(descriptor, signature_of(status))


def _close(opened: OpenFile | NotOpened) -> None:
    if isinstance(opened, OpenFile):
        os.close(opened.descriptor)


def _reason(error: OSError) -> FailureReason:
    if error.errno == errno.ENOENT:
        return FailureReason.VANISHED
    if error.errno in LINKED or error.errno in NOT_A_FILE:
        return FailureReason.NOT_REGULAR
    return FailureReason.UNREADABLE
