"""What MOV and MP4 files say of themselves in a few boxes, for where nothing else can read videos.

Runs in a decode child. A date belongs to its video, poster or not.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import BinaryIO, Final

from adapters.media.heif_boxes import LARGEST_HEADER, MOST_BOXES, boxes, length_of

LARGEST_TAGS: Final = 1024 * 1024
LARGEST_VALUE: Final = 1024
EPOCH: Final = datetime(1904, 1, 1, tzinfo=UTC)
SECONDS_TO_1970: Final = 2_082_844_800
"""Some cameras count from 1970: read as counted from 1904 that would be a time before there were videos."""


LONGEST_HEADER: Final = 32

Place = tuple[bytes, int, int]
"""The name of a box, and where its content begins and ends."""


@dataclass(frozen=True, slots=True)
class Film:
    """What was found; everything may be missing. `tags` have the names that everybody gives them."""

    duration: timedelta | None = None
    tags: Mapping[str, str] = field(default_factory=dict)


def read_film(file: BinaryIO) -> Film:
    """The duration and the tags of a film. What makes no sense is missing."""
    size = file.seek(0, os.SEEK_END)
    duration: timedelta | None = None
    tags: dict[str, str] = {}
    for kind, start, end in _film(file, size):
        file.seek(start)
        if kind == b"mvhd":
            created, duration = _header(file.read(min(LONGEST_HEADER, end - start)))
            tags |= {"creation_time": created} if created else {}
        elif kind == b"meta":
            tags |= _tags(file.read(min(LARGEST_TAGS, end - start)))
    return Film(duration, tags)


def _film(file: BinaryIO, size: int) -> Iterator[Place]:
    """What is in the film, and in what its user data are; Apple keeps tags in the one, others in the other."""
    for kind, start, end in _inside(file, b"moov", 0, size):
        if kind == b"udta":
            yield from _children(file, start, end)
        else:
            yield kind, start, end


def _inside(file: BinaryIO, kind: bytes, start: int, end: int) -> Iterator[Place]:
    for found, content, content_end in _children(file, start, end):
        if found == kind:
            yield from _children(file, content, content_end)
            return


def _children(file: BinaryIO, start: int, end: int) -> Iterator[Place]:
    """Names of boxes with where their contents begin and end; nothing but headers is read."""
    for _ in range(MOST_BOXES):
        file.seek(start)
        header = file.read(LARGEST_HEADER)
        length, header_length = length_of(header)
        length = length or end - start
        if length < header_length or start + header_length > end:
            return
        yield header[4:8], start + header_length, min(start + length, end)
        start += length


def _header(content: bytes) -> tuple[str, timedelta | None]:
    """When a film was made, in UTC, and how long it runs."""
    if len(content) < LONGEST_HEADER:
        return "", None
    if content[0] == 1:
        created, scale, units = _number(content, 4, 8), _number(content, 20, 4), _number(content, 24, 8)
    else:
        created, scale, units = _number(content, 4, 4), _number(content, 12, 4), _number(content, 16, 4)
    is_known = 0 < units < (1 << (63 if content[0] == 1 else 32)) - 1 and scale > 0
    try:
        return _date(created), timedelta(seconds=units / scale) if is_known else None
    except OverflowError:
        return "", None


def _date(seconds: int) -> str:
    if seconds == 0:
        return ""
    since_1904 = seconds if seconds >= SECONDS_TO_1970 else seconds + SECONDS_TO_1970
    return f"{EPOCH + timedelta(seconds=since_1904):%Y-%m-%dT%H:%M:%SZ}"


def _tags(content: bytes) -> dict[str, str]:
    """Names and texts, each in a list of its own. QuickTime leaves out the four bytes that MP4 begins them with."""
    parts = {
        box.kind: box.content for box in islice(boxes(content[0 if content[4:8] == b"hdlr" else 4 :]), 16)
    }
    names = [
        box.content.decode("utf-8", "replace") for box in islice(boxes(parts.get(b"keys", b"")[8:]), 256)
    ]
    found: dict[str, str] = {}
    for box in islice(boxes(parts.get(b"ilst", b"")), 256):
        number = int.from_bytes(box.kind, "big")
        values = [value.content[8:] for value in islice(boxes(box.content), 1) if value.kind == b"data"]
        if 0 < number <= len(names) and values:
            found[names[number - 1]] = values[0][:LARGEST_VALUE].decode("utf-8", "replace")
    return found


def _number(content: bytes, start: int, width: int) -> int:
    return int.from_bytes(content[start : start + width], "big")
