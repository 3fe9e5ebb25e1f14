"""The walk: every media file below a root, folder by folder."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from adapters.filesystem.beneath import open_folder, open_root
from application.ports.file_tree import FoundBatch, RootUnreadable
from domain.media.file import FileSignature, FoundFile, RelativePath

BATCH_FILES: Final = 500

MEDIA_SUFFIXES: Final = frozenset(
    b".jpg .jpeg .png .heic .heif .hif .avif .gif .webp .tiff .tif .bmp .mpo .mov .mp4 .m4v .avi .mkv .wmv".split()
)
"""Only a filter: what a file is, its content decides."""

SKIPPED_FOLDERS: Final = frozenset({b"@eaDir", b"#recycle", b".@__thumb", b"$RECYCLE.BIN", b"lost+found"})
"""Where NAS systems and file systems keep their own; names that begin with a dot are skipped as well."""


@dataclass(frozen=True, slots=True)
class ListedFolder:
    """What one folder holds."""

    files: tuple[FoundFile, ...]
    folders: tuple[bytes, ...]


def walk(root: str) -> Iterator[FoundBatch]:
    """Yield what lies below `root`, depth first in the order of names, in batches. Blocks while it reads."""
    try:
        descriptor = open_root(root)
    except OSError as error:
        raise RootUnreadable(error.strerror or "the root cannot be opened") from error
    try:
        yield from _batches(descriptor)
    finally:
        os.close(descriptor)


def _batches(root: int) -> Iterator[FoundBatch]:
    files: list[FoundFile] = []
    unreadable = 0
    waiting = [b""]
    while waiting:
        folder = waiting.pop()
        try:
            listed = _list(root, folder)
        except OSError as error:
            if not folder:
                raise RootUnreadable(error.strerror or "the root cannot be listed") from error
            unreadable += 1
            continue
        waiting.extend(reversed(listed.folders))
        files.extend(listed.files)
        while len(files) >= BATCH_FILES:
            yield FoundBatch(tuple(files[:BATCH_FILES]), unreadable)
            del files[:BATCH_FILES]
            unreadable = 0
    yield FoundBatch(tuple(files), unreadable)


def _list(root: int, folder: bytes) -> ListedFolder:
    files: list[FoundFile] = []
    folders: list[bytes] = []
    descriptor = open_folder(root, folder)
    try:
        with os.scandir(descriptor) as entries:
            named = sorted((os.fsencode(entry.name), entry) for entry in entries)
        for name, entry in named:
            path = folder + b"/" + name if folder else name
            if entry.is_dir(follow_symlinks=False):
                if not _is_skipped(name):
                    folders.append(path)
            elif (signature := _signature(name, entry)) is not None:
                files.append(FoundFile(RelativePath(path), signature))
    finally:
        os.close(descriptor)
    return ListedFolder(tuple(files), tuple(folders))


def _is_skipped(name: bytes) -> bool:
    return name.startswith(b".") or name in SKIPPED_FOLDERS


def _signature(name: bytes, entry: os.DirEntry[str]) -> FileSignature | None:
    """The signature of a regular file with a media name, or None for everything else."""
    if name.startswith(b".") or _suffix(name) not in MEDIA_SUFFIXES:
        return None
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        # It went while its folder was read.
        return None
    return signature_of(status) if stat.S_ISREG(status.st_mode) else None


def _suffix(name: bytes) -> bytes:
    stem, dot, suffix = name.rpartition(b".")
    return (dot + suffix).lower() if stem else b""


def signature_of(status: os.stat_result) -> FileSignature:
    """What the rows keep of a stat."""
    return FileSignature(
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        ctime_ns=status.st_ctime_ns,
        inode=_signed(status.st_ino),
    )


def _signed(number: int) -> int:
    """Inode numbers are 64 bits without a sign, columns have one; equal stays equal."""
    return number - 2**64 if number >= 2**63 else number
