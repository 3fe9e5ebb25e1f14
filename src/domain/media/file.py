"""A file of somebody's library, before anything of it was read."""

from dataclasses import dataclass
from typing import NewType

RelativePath = NewType("RelativePath", bytes)
"""A path below a root, byte for byte as the file system has it; `/` separates its parts."""


@dataclass(frozen=True, slots=True)
class FileSignature:
    """What a stat tells of a file. Equal signatures mean an unchanged file: it is not read again."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A regular file that the walk met."""

    path: RelativePath
    signature: FileSignature


def file_name(path: RelativePath) -> str:
    """The last part of a path, readable; bytes that are not UTF-8 are escaped."""
    return path.rpartition(b"/")[2].decode(errors="backslashreplace")
