"""A file of somebody's library, before anything of it was read."""

from typing import Final, NamedTuple, NewType

RelativePath = NewType("RelativePath", bytes)
"""A path below a root, byte for byte as the file system has it; `/` separates its parts."""

LONGEST_PATH: Final = 2_048
"""Bytes of a path that a library keeps: stores find rows by their paths, and no index takes more than some 2,700."""


class FileSignature(NamedTuple):
    """What a stat tells of a file. Equal signatures mean an unchanged file: it is not read again.

    A tuple, as what follows: a crawl makes both for every file of a library, and tuples are made much faster.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class FoundFile(NamedTuple):
    """A regular file that the walk met."""

    path: RelativePath
    signature: FileSignature


def path_text(path: bytes) -> str:
    """A path for people: bytes that are not UTF-8 are escaped, and so is the backslash that escapes them.

    Different paths have different texts.
    """
    return path.replace(b"\\", rb"\\").decode(errors="backslashreplace")


def file_name(path: RelativePath) -> str:
    """The last part of a path, as `path_text` writes it."""
    return path_text(path.rpartition(b"/")[2])


def folder_of(path: RelativePath) -> bytes:
    """The folder that a file lies in; empty for the root."""
    return path.rpartition(b"/")[0]


def folders_above(path: RelativePath) -> tuple[RelativePath, ...]:
    """Every folder that a file lies below, the root aside, each with its slash at the end."""
    ends = [at + 1 for at, byte in enumerate(path[:-1]) if byte == ord("/")]
    return tuple(RelativePath(path[:end]) for end in ends)
