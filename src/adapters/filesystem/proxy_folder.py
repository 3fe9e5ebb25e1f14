"""The proxies on a file system, for whoever tidies up: by folders that are held open, and through no link."""

import asyncio
import os
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final

from adapters.filesystem.beneath import NOT_THERE, READ_FOLDER, UPWARDS, open_folder, open_root
from adapters.filesystem.walk import is_regular
from application.ports.proxy_folder import (
    FileDeleted,
    FileFate,
    FileGone,
    FileStuck,
    FolderPart,
    KeptBecause,
    ProxiesUnreadable,
    ProxyFolder,
    SeenProxy,
)
from domain.media.proxy_path import ForeignName, ProxyPath, may_hold_proxies, proxy_path

PART: Final = 1_000
"""How many files are listed before they are told."""

EPOCH: Final = datetime.fromtimestamp(0, UTC)
LAST: Final = datetime.max.replace(tzinfo=UTC)


class MountedProxyFolder(ProxyFolder):
    """The folder that `FolderProxyStore` writes to."""

    def __init__(self, root: Path) -> None:
        """Take the proxies folder."""
        self._root = str(root)

    async def walk(self) -> AsyncIterator[FolderPart]:
        parts = _parts(self._root)
        while (part := await asyncio.to_thread(next, parts, None)) is not None:
            yield part

    async def absent(self, paths: Collection[str]) -> frozenset[str]:
        return await asyncio.to_thread(_absent, self._root, paths)

    async def delete(self, paths: Sequence[ProxyPath], *, before: datetime) -> tuple[FileFate, ...]:
        return await asyncio.to_thread(_delete, self._root, paths, before)


def _parts(root: str) -> Iterator[FolderPart]:
    proxies: list[SeenProxy] = []
    foreign = 0
    # Nobody has written a proxy yet where no folder is. Rows that say otherwise are looked up by `absent`.
    with _told_as_unreadable(), suppress(FileNotFoundError), _opened(root) as folder:
        for seen in _listed(folder, ""):
            match seen:
                case SeenProxy():
                    proxies.append(seen)
                case ForeignName():
                    foreign += 1
            if len(proxies) + foreign == PART:
                yield FolderPart(tuple(proxies), foreign)
                proxies, foreign = [], 0
    yield FolderPart(tuple(proxies), foreign)


def _listed(folder: int, below: str) -> Iterator[SeenProxy | ForeignName]:
    """Everything in an open folder, and in those folders of it that may hold proxies. Of each depth one is open."""
    kept: list[tuple[str, ProxyPath | None]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            path = f"{below}{entry.name}"
            if entry.is_dir(follow_symlinks=False) and may_hold_proxies(path):
                kept.append((entry.name, None))
            elif isinstance(named := proxy_path(path), ProxyPath):
                kept.append((entry.name, named))
            else:
                yield ForeignName()
    for name, proxy in sorted(kept, key=itemgetter(0)):
        try:
            if proxy is None:
                with _opened(name, at=folder) as inner:
                    yield from _listed(inner, f"{below}{name}/")
            else:
                yield _seen(folder, name, proxy)
        except OSError as error:
            # What went since it was listed, or gave way to a link, was never met.
            if error.errno not in NOT_THERE:
                raise


def _seen(folder: int, name: str, proxy: ProxyPath) -> SeenProxy | ForeignName:
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if not is_regular(status):
        return ForeignName()
    return SeenProxy(proxy, status.st_size, _modified(status))


def _absent(root: str, paths: Collection[str]) -> frozenset[str]:
    with _told_as_unreadable(), _opened(root) as folder:
        by_folder = groupby(sorted(paths), lambda path: path.rpartition("/")[0])
        return frozenset(
            path for inner, inside in by_folder for path in _absent_in(folder, inner, list(inside))
        )


def _absent_in(root: int, inner: str, paths: Collection[str]) -> Collection[str]:
    parts = os.fsencode(inner).split(b"/") if inner else []
    if UPWARDS & set(parts):
        return paths
    try:
        folder = open_folder(root, b"/".join(parts))
    except OSError as error:
        if error.errno in NOT_THERE:
            return paths
        raise
    try:
        return [path for path in paths if not _is_file(folder, path.rpartition("/")[2])]
    finally:
        os.close(folder)


def _is_file(folder: int, name: str) -> bool:
    try:
        return is_regular(os.stat(name, dir_fd=folder, follow_symlinks=False))
    except OSError as error:
        if error.errno in NOT_THERE:
            return False
        raise


def _delete(root: str, paths: Sequence[ProxyPath], before: datetime) -> tuple[FileFate, ...]:
    try:
        with _opened(root) as folder:
            return tuple(_fate(folder, path.text, before) for path in paths)
    except OSError as error:
        return tuple(FileStuck(_words(error)) for _ in paths)


def _fate(root: int, path: str, before: datetime) -> FileFate:
    shard, _, rest = path.partition("/")
    inner, _, name = rest.partition("/")
    try:
        with _opened(shard, at=root) as outer:
            with _opened(inner, at=outer) as folder:
                fate = _unlinked(folder, name, before)
            if isinstance(fate, FileDeleted | FileGone):
                # Refused where anything is left in it. Whoever was killed may have left it empty.
                with suppress(OSError):
                    os.rmdir(inner, dir_fd=outer)
    except FileNotFoundError:
        return FileGone()
    except OSError as error:
        # A link, or a file, in the place of a folder: whatever lies beyond it is not this folder's.
        return KeptBecause.NOT_A_FILE if error.errno in NOT_THERE else FileStuck(_words(error))
    return fate


def _unlinked(folder: int, name: str, before: datetime) -> FileFate:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if not is_regular(status):
            return KeptBecause.NOT_A_FILE
        if _modified(status) >= before:
            return KeptBecause.TOO_YOUNG
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return FileGone()
    return FileDeleted(status.st_size)


@contextmanager
def _opened(name: str, *, at: int | None = None) -> Iterator[int]:
    descriptor = open_root(name) if at is None else os.open(name, READ_FOLDER, dir_fd=at)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _told_as_unreadable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ProxiesUnreadable(_words(error)) from error


def _words(error: OSError) -> str:
    """What is wrong, without the path that the error's own text names."""
    return os.strerror(error.errno or 0)


def _modified(status: os.stat_result) -> datetime:
    """A file system can tell times that no calendar has: these are as good as its last day."""
    try:
        return EPOCH + timedelta(microseconds=status.st_mtime_ns // 1_000)
    except OverflowError:
        return LAST
