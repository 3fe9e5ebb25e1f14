"""Small files that hold one value, as secrets of containers do."""

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LARGEST_FILE: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why it cannot be used, as the end of a sentence that begins with the file."""

    why: str


def text_of(path: Path) -> str | Unreadable:
    """The text of a small file, without one newline at its end."""
    try:
        # A pipe would wait for its other end, and a device may never end.
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return Unreadable("is not a regular file")
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        reason = {
            errno.ENOENT: "does not exist",
            errno.EACCES: "cannot be read: permission denied",
            errno.EISDIR: "is a folder",
        }.get(error.errno or 0, f"cannot be read: {error.strerror}")
        return Unreadable(reason)
    if len(content) > LARGEST_FILE:
        return Unreadable(f"is larger than {LARGEST_FILE // 1024} KiB")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return Unreadable("is not UTF-8 text")
    if "\0" in text:
        return Unreadable("holds a NUL character")
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
