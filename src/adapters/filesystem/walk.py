"""The walk: every media file below a root, folder by folder."""

import fnmatch
import os
import re
import stat
from collections.abc import Iterable, Iterator
from typing import Final

from adapters.filesystem.beneath import open_folder, open_root
from application.ports.file_tree import FoundBatch, RootUnreadable
from domain.media.file import FileSignature, FoundFile, RelativePath

BATCH_FILES: Final = 2_000

MEDIA_SUFFIXES: Final = frozenset(
    b".jpg .jpeg .png .heic .heif .hif .avif .gif .webp .tiff .tif .bmp .mpo .mov .mp4 .m4v .avi .mkv .wmv".split()
)
"""Only a filter: what a file is, its content decides."""

COUNTED_SUFFIXES: Final = frozenset(
    b".3fr .arw .cr2 .cr3 .crw .dcr .dng .erf .iiq .kdc .mos .mrw .nef .nrw .orf .pef .raf .raw .rw2 .rwl .sr2 "
    b".srf .srw .x3f .aae .dop .pp3 .thm .xmp".split()
)
"""Raw files and sidecars: nothing is made of them yet, and people want to know that they were seen."""

SKIPPED_NAMES: Final = ("@eaDir", "#recycle", ".@__thumb", "$RECYCLE.BIN", "lost+found")
"""Where NAS systems and file systems keep their own; names that begin with a dot are skipped as well."""

Entry = tuple[bytes, FileSignature | None]
"""A path and its signature. Without one it is a folder, whose path ends in a slash, or cannot be looked at."""


class WalkRules:
    """What of a library is looked at. `skipped` are names of files and folders, with `*` and `?` if need be."""

    def __init__(self, skipped: Iterable[str] = SKIPPED_NAMES) -> None:
        patterns = [fnmatch.translate(name) for name in skipped]
        self._skipped = re.compile("|".join(patterns).encode() or rb"(?!)", re.DOTALL)

    def skips(self, name: bytes) -> bool:
        """Whether a file or folder of this name is as good as not there."""
        return name.startswith(b".") or self._skipped.match(name) is not None

    def admits(self, path: bytes) -> bool:
        """Whether the walk would come to a media file at this path."""
        return not any(map(self.skips, path.split(b"/"))) and suffix(path) in MEDIA_SUFFIXES


def walk(root: str, rules: WalkRules) -> Iterator[FoundBatch]:
    """Yield what lies below `root` in the order of paths, byte by byte, in batches. Blocks while it reads."""
    try:
        descriptor = open_root(root)
    except OSError as error:
        raise RootUnreadable(error.strerror or "the root cannot be opened") from error
    try:
        yield from _batches(descriptor, rules)
    finally:
        os.close(descriptor)


def _batches(root: int, rules: WalkRules) -> Iterator[FoundBatch]:
    files: list[FoundFile] = []
    barred: list[RelativePath] = []
    try:
        entries, passed_over = _list(root, b"", rules)
    except OSError as error:
        raise RootUnreadable(error.strerror or "the root cannot be listed") from error
    # The entries that are left of each folder on the way to where the walk is, the innermost last.
    waiting = [iter(entries)]
    while waiting:
        path, signature = next(waiting[-1], END)
        if signature is not None:
            files.append(FoundFile(RelativePath(path), signature))
            if len(files) == BATCH_FILES:
                yield FoundBatch(tuple(files), tuple(barred), passed_over, RelativePath(path))
                files, barred, passed_over = [], [], 0
        elif not path:
            waiting.pop()
        elif path.endswith(b"/"):
            try:
                below, passed = _list(root, path[:-1], rules)
            except FileNotFoundError:
                # It went while the walk was on its way.
                continue
            except OSError:
                barred.append(RelativePath(path))
                continue
            passed_over += passed
            waiting.append(iter(below))
        else:
            barred.append(RelativePath(path))
    yield FoundBatch(tuple(files), tuple(barred), passed_over)


END: Final[Entry] = (b"", None)


def _list(root: int, folder: bytes, rules: WalkRules) -> tuple[list[Entry], int]:
    """What one folder holds, and how much of it is passed over."""
    found: list[Entry] = []
    passed_over = 0
    prefix = folder + b"/" if folder else b""
    descriptor = open_folder(root, folder)
    try:
        with os.scandir(descriptor) as entries:
            for entry in entries:
                name = os.fsencode(entry.name)
                if rules.skips(name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    found.append((prefix + name + b"/", None))
                elif not entry.is_file(follow_symlinks=False):
                    passed_over += 1
                elif (ending := suffix(name)) in MEDIA_SUFFIXES:
                    try:
                        found.append((prefix + name, _signature(entry)))
                    except FileNotFoundError:
                        # It went while its folder was read.
                        continue
                elif ending in COUNTED_SUFFIXES:
                    passed_over += 1
    finally:
        os.close(descriptor)
    # Paths are unique, so nothing behind them is ever compared.
    found.sort()
    return found, passed_over


def _signature(entry: os.DirEntry[str]) -> FileSignature | None:
    try:
        return signature_of(entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        raise
    except OSError:
        return None


def suffix(name: bytes) -> bytes:
    """The part of a name that says what is in the file, in small letters, with its dot."""
    stem, dot, ending = name.rpartition(b".")
    return (dot + ending).lower() if stem else b""


def signature_of(status: os.stat_result) -> FileSignature:
    """What the rows keep of a stat."""
    return FileSignature(status.st_size, status.st_mtime_ns, status.st_ctime_ns, _signed(status.st_ino))


def is_regular(status: os.stat_result) -> bool:
    """Whether it is a file with content of its own."""
    return stat.S_ISREG(status.st_mode)


def _signed(number: int) -> int:
    """Inode numbers are 64 bits without a sign, columns have one; equal stays equal."""
    return number - 2**64 if number >= 2**63 else number
