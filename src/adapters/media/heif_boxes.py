"""What decoders do not tell of ISO media files, read from their boxes.

Whether a HEIC file itself says how its picture is to be turned: where it does, libheif has turned the pixels, and the
orientation in EXIF must not turn them again. And whether a file ends before it should: libheif paints what is missing
in one colour and is content.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

LARGEST_DESCRIPTION: Final = 8 * 1024 * 1024
TURNS: Final = frozenset({b"irot", b"imir"})
LARGEST_HEADER: Final = 16
MOST_BOXES: Final = 1_000
NEGLIGIBLE: Final = 16
"""So many missing bytes at the end are padding that no picture needs."""

WIDE_IDS_OF_ITEMS: Final = 1
"""The version of a `pitm` or `ipma` box from which the ids of items have four bytes."""


@dataclass(frozen=True, slots=True)
class Box:
    """A named piece of a file, without its header."""

    kind: bytes
    content: bytes


def is_cut_off(file: BinaryIO) -> bool:
    """Whether the last box promises more than there is."""
    size = file.seek(0, os.SEEK_END)
    start = 0
    for _ in range(MOST_BOXES):
        file.seek(start)
        header = file.read(LARGEST_HEADER)
        length, _ = length_of(header)
        if length == TO_THE_END or len(header) < 8:  # noqa: PLR2004 -- no box is shorter
            return False
        start += length
        if start > size + NEGLIGIBLE:
            return True
    return False


def turns_its_picture(file: bytes) -> bool:
    """Whether the main picture of an ISO media file has a rotation or a mirror axis, be it one that changes nothing.

    A file whose boxes make no sense counts as one that has: what is not known is not turned.
    """
    try:
        description = _only(boxes(file), b"meta")[4:]
        properties = _only(boxes(description), b"iprp")
        kinds = [box.kind for box in boxes(_only(boxes(properties), b"ipco"))]
        main = _main_item(_only(boxes(description), b"pitm"))
        numbers = [
            number
            for box in boxes(properties)
            if box.kind == b"ipma"
            for number in _properties_of(main, box.content)
        ]
    except (IndexError, StopIteration):
        return True
    return any(0 < number <= len(kinds) and kinds[number - 1] in TURNS for number in numbers)


def boxes(content: bytes) -> Iterator[Box]:
    """The boxes that follow each other; what is cut off ends them."""
    start = 0
    while start + 8 <= len(content):
        length, header = length_of(content[start : start + LARGEST_HEADER])
        if length == TO_THE_END:
            length = len(content) - start
        if length < header:
            return
        yield Box(content[start + 4 : start + 8], content[start + header : start + length])
        start += length


TO_THE_END: Final = 0


def length_of(header: bytes) -> tuple[int, int]:
    """The length of a box with its header, and of the header alone."""
    length = int.from_bytes(header[:4], "big")
    return (length, 8) if length != 1 else (int.from_bytes(header[8:16], "big"), 16)


def _only(some: Iterator[Box], kind: bytes) -> bytes:
    return next(box.content for box in some if box.kind == kind)


def _main_item(content: bytes) -> int:
    width = 4 if content[0] >= WIDE_IDS_OF_ITEMS else 2
    return int.from_bytes(content[4 : 4 + width], "big")


def _properties_of(item: int, content: bytes) -> Iterator[int]:
    """The numbers of an item's properties, from 1, as an `ipma` box lists them."""
    id_width, number_width = (4 if content[0] >= WIDE_IDS_OF_ITEMS else 2), (2 if content[3] & 1 else 1)
    essential = 1 << (8 * number_width - 1)
    at = 8
    for _ in range(int.from_bytes(content[4:8], "big")):
        found = int.from_bytes(content[at : at + id_width], "big")
        at += id_width
        numbers = content[at]
        at += 1
        if found == item:
            for place in range(at, at + numbers * number_width, number_width):
                yield int.from_bytes(content[place : place + number_width], "big") & ~essential
        at += numbers * number_width
