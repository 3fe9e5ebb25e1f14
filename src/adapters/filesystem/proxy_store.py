"""Proxies on a file system, written so that a reader never meets half of one."""

import asyncio
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from application.ports.proxy_store import ProxiesUnwritable, ProxyStore
from domain.media.proxy import ProxyFile, ProxyImage, proxy_file

FOLDER_MODE = 0o750
FILE_MODE = 0o640

TIMES_REMOVED: Final = 3
"""How often in a row a folder may be taken away between being made and being written to."""


class FolderProxyStore(ProxyStore):
    """Temporary name, fsync, rename, fsync of the folder: then it survives a loss of power."""

    def __init__(self, root: Path) -> None:
        """Take the proxies folder, which need not exist yet."""
        self._root = root

    async def write(self, folder: str, images: Sequence[ProxyImage]) -> tuple[ProxyFile, ...]:
        try:
            await asyncio.to_thread(self._write_all, folder, images)
        except OSError as error:
            # The text of an OSError names a path; its number does not.
            raise ProxiesUnwritable(os.strerror(error.errno or 0)) from error
        return tuple(proxy_file(folder, image) for image in images)

    async def holds(self, files: Sequence[ProxyFile]) -> bool:
        return await asyncio.to_thread(self._holds, files)

    def _holds(self, files: Sequence[ProxyFile]) -> bool:
        try:
            return all((self._root / file.path).stat().st_size == file.size for file in files)
        except OSError:
            return False

    def _write_all(self, folder: str, images: Sequence[ProxyImage]) -> None:
        for _ in range(TIMES_REMOVED):
            # Whoever tidies up takes an empty folder away, and this one is empty for a moment.
            with suppress(FileNotFoundError):
                return _write_into(self._root / folder, images)
        return _write_into(self._root / folder, images)


def _write_into(path: Path, images: Sequence[ProxyImage]) -> None:
    _make_folder(path)
    for image in images:
        _write(path, f"{image.kind}.jpg", image.content)
    _sync_folder(path)


def _make_folder(path: Path) -> None:
    """Make a folder and its parents; each one made is made durable in its parent."""
    if path.is_dir():
        return
    _make_folder(path.parent)
    path.mkdir(mode=FOLDER_MODE, exist_ok=True)
    _sync_folder(path.parent)


def _write(folder: Path, name: str, content: bytes) -> None:
    # Two workers may write equal content at once: a fixed temporary name would make one rename the
    # other's file away.
    temporary = folder / f".{name}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:
        descriptor = os.open(
            temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE
        )
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        temporary.replace(folder / name)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
