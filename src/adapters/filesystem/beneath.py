"""Opening below a root, without ever following a link there."""

import errno
import os
from typing import Final

READ_ONLY = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
# A FIFO without a writer would hang in open() for ever without O_NONBLOCK.
READ_FILE = READ_ONLY | os.O_NONBLOCK | os.O_NOCTTY
UPWARDS = frozenset({b"", b".", b".."})
READ_FOLDER = READ_ONLY | os.O_DIRECTORY

NOT_THERE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})
"""What the system says where a path leads to nothing, or could only lead through a link."""


def open_root(root: str) -> int:
    """The root itself may be a link: whoever set it up chose it."""
    return os.open(root, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)


def open_beneath(root: int, path: bytes, flags: int) -> int:
    """Open `path` below an open root part by part, so that no part of it can lead elsewhere.

    Raises `OSError`: ELOOP or ENOTDIR where a link stands in the way, or a part that leads up.
    """
    if UPWARDS & set(path.split(b"/")):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    folders, _, name = path.rpartition(b"/")
    at = open_folder(root, folders)
    try:
        return os.open(name, flags, dir_fd=at)
    finally:
        os.close(at)


def open_folder(root: int, path: bytes) -> int:
    """Open the folder at `path` below an open root; the empty path is the root."""
    at = os.dup(root)
    try:
        for part in path.split(b"/") if path else ():
            below = os.open(part, READ_FOLDER, dir_fd=at)
            os.close(at)
            at = below
    except OSError:
        os.close(at)
        raise
    return at
