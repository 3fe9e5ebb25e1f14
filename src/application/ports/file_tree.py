"""The originals: found, and opened for reading only. Nothing behind this port ever changes a file."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from application.ports.errors import PortError
from domain.media.failure import FailureReason
from domain.media.file import FileSignature, FoundFile, RelativePath


class RootUnreadable(PortError):  # noqa: N818 -- reads as the state it names
    """The root of a library is not there, is no folder, or may not be listed."""


@dataclass(frozen=True, slots=True)
class FoundBatch:
    """Some of the files below a root, and how many folders on the way to them could not be listed."""

    files: tuple[FoundFile, ...]
    unreadable_folders: int = 0


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A regular file, open for reading; `signature` is that of what was opened."""

    descriptor: int
    signature: FileSignature


@dataclass(frozen=True, slots=True)
class NotOpened:
    """Why it could not be opened."""

    reason: FailureReason


class FileTree(Protocol):
    """Everything below a root, links neither followed nor opened."""

    def walk(self, root: str) -> AsyncIterator[FoundBatch]:
        """Every media file below `root`, in the order of names, in batches.

        Raises `RootUnreadable` when the root itself cannot be listed. A folder below it that cannot be
        listed is counted, and the walk goes on.
        """
        ...

    def opened(self, root: str, path: RelativePath) -> AbstractAsyncContextManager[OpenFile | NotOpened]:
        """The file at `path`, open until the context ends. No part of the path below the root is a link."""
        ...

    async def signature(self, file: OpenFile) -> FileSignature:
        """What a stat of the open file says now."""
        ...
