"""The originals: found, and opened for reading only. Nothing behind this port ever changes a file."""

from collections.abc import AsyncIterator, Collection
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from application.ports.errors import PortError
from domain.media.failure import FailureReason
from domain.media.file import FileSignature, FoundFile, RelativePath


class RootUnreadable(PortError):  # noqa: N818 -- reads as the state it names
    """The root of a library is not there, is no folder, may not be listed, or has become another one."""


@dataclass(frozen=True, slots=True)
class RootMark:
    """What tells one root from another that has taken its place, such as the folder below an unmounted disk."""

    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class FoundBatch:
    """Everything that the walk met between the batch before and the path `until`; None once the walk is over.

    `barred` are the things that are there and may not be looked at; a folder's path ends in a slash.
    `passed_over` counts what is not for a photo library: raw files, sidecars, links, and what is no file.
    """

    files: tuple[FoundFile, ...]
    barred: tuple[RelativePath, ...] = ()
    passed_over: int = 0
    until: RelativePath | None = None


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

    async def mark(self, root: str) -> RootMark:
        """What the root is now. Raises `RootUnreadable`."""
        ...

    def walk(self, root: str) -> AsyncIterator[FoundBatch]:
        """Every media file below `root`, in the order of paths, byte by byte, in batches.

        Raises `RootUnreadable` when the root itself cannot be listed. A folder below it that cannot be
        listed is told, and the walk goes on.
        """
        ...

    async def gone(self, root: str, paths: Collection[RelativePath]) -> frozenset[RelativePath]:
        """Those paths at which the walk would find no file now. What cannot be looked at is not gone."""
        ...

    def opened(self, root: str, path: RelativePath) -> AbstractAsyncContextManager[OpenFile | NotOpened]:
        """The file at `path`, open until the context ends. No part of the path below the root is a link.

        Raises `RootUnreadable` when no file can be opened at all.
        """
        ...

    async def signature(self, file: OpenFile) -> FileSignature:
        """What a stat of the open file says now."""
        ...
