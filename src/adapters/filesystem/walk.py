"""The walk: every media file below a root, folder by folder."""

import fnmatch
import os
import re
import stat
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Final

from adapters.filesystem.beneath import open_folder, open_root
from application.ports.file_tree import FoundBatch, RootUnreadable
from domain.media.file import LONGEST_PATH, FileSignature, FoundFile, RelativePath

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

PATTERN_SIGNS: Final = frozenset("*?[")

ENCODING: Final = (sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())
"""What makes bytes of a name again: a tenth of the walk would go into `os.fsencode`."""

made: Final = tuple.__new__
"""What the constructor of a named tuple calls in the end: half a walk's own time goes into those."""

Run = list[FoundFile] | bytes
"""Files between which nothing else lies; or the path of something else: a folder's with a slash at its end."""


class WalkRules:
    """What of a library is looked at. `skipped` are names of files and folders, with `*` and `?` if need be."""

    def __init__(self, skipped: Iterable[str] = SKIPPED_NAMES) -> None:
        names = frozenset(skipped)
        patterns = sorted(name for name in names if not PATTERN_SIGNS.isdisjoint(name))
        self._names = frozenset(name.encode() for name in names.difference(patterns))
        self._patterns = re.compile("|".join(map(fnmatch.translate, patterns)).encode()) if patterns else None

    def skips(self, name: bytes) -> bool:
        """Whether a file or folder of this name is as good as not there."""
        return (
            name.startswith(b".")
            or name in self._names
            or (self._patterns is not None and self._patterns.match(name) is not None)
        )

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
        runs, passed_over = _list(root, b"", rules)
    except OSError as error:
        raise RootUnreadable(error.strerror or "the root cannot be listed") from error
    # What is left of each folder on the way to where the walk is, the innermost last.
    waiting = [runs]
    while waiting:
        match next(waiting[-1], None):
            case None:
                waiting.pop()
            case bytes() as path:
                below, passed = _entered(root, path, rules)
                if below is None:
                    barred.append(RelativePath(path))
                else:
                    waiting.append(below)
                    passed_over += passed
            case run:
                files += run
                while len(files) >= BATCH_FILES:
                    some, files = files[:BATCH_FILES], files[BATCH_FILES:]
                    yield FoundBatch(tuple(some), tuple(barred), passed_over, some[-1].path)
                    barred, passed_over = [], 0
    yield FoundBatch(tuple(files), tuple(barred), passed_over)


def _entered(root: int, path: bytes, rules: WalkRules) -> tuple[Iterator[Run] | None, int]:
    """What a folder holds; None for one that cannot be listed or lies too deep, and for a file not to be looked at."""
    if not path.endswith(b"/") or len(path) > LONGEST_PATH:
        return None, 0
    try:
        return _list(root, path[:-1], rules)
    except FileNotFoundError:
        # It went while the walk was on its way.
        return iter(()), 0
    except OSError:
        return None, 0


def _list(root: int, folder: bytes, rules: WalkRules) -> tuple[Iterator[Run], int]:
    """What one folder holds, in the order of paths, and how much of it is passed over."""
    files: list[FoundFile] = []
    others: list[bytes] = []
    passed_over = 0
    prefix = folder + b"/" if folder else b""
    skips = rules.skips
    descriptor = open_folder(root, folder)
    try:
        with os.scandir(descriptor) as entries:
            for entry in entries:
                name = entry.name.encode(*ENCODING)
                if skips(name):
                    continue
                if not entry.is_file(follow_symlinks=False):
                    if entry.is_dir(follow_symlinks=False):
                        others.append(prefix + name + b"/")
                    else:
                        passed_over += 1
                elif (ending := name[name.rfind(b".") :].lower()) in MEDIA_SUFFIXES:
                    try:
                        signature = signature_of(entry.stat(follow_symlinks=False))
                        files.append(made(FoundFile, (prefix + name, signature)))
                    except FileNotFoundError:
                        # It went while its folder was read.
                        continue
                    except OSError:
                        others.append(prefix + name)
                elif ending in COUNTED_SUFFIXES:
                    passed_over += 1
    finally:
        os.close(descriptor)
    return _in_order(files, others), passed_over


def _in_order(files: list[FoundFile], others: list[bytes]) -> Iterator[Run]:
    """Both together, whole runs of files at a time: most folders have nothing else."""
    files.sort(key=PATH)
    start = 0
    for other in sorted(others):
        end = bisect_left(files, other, start, key=PATH)
        if end > start:
            yield files[start:end]
        yield other
        start = end
    yield files[start:]


PATH: Final = attrgetter("path")


def suffix(name: bytes) -> bytes:
    """The part of a name that says what is in the file, in small letters, with its dot."""
    dot = name.rfind(b".")
    return name[dot:].lower() if dot > 0 else b""


def signature_of(status: os.stat_result) -> FileSignature:
    """What the rows keep of a stat."""
    inode = status.st_ino
    # Inode numbers are 64 bits without a sign, columns have one; equal stays equal.
    inode = inode if inode < 2**63 else inode - 2**64
    return made(FileSignature, (status.st_size, status.st_mtime_ns, status.st_ctime_ns, inode))


def is_regular(status: os.stat_result) -> bool:
    """Whether it is a file with content of its own."""
    return stat.S_ISREG(status.st_mode)
