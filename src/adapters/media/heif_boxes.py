"""What pi_heif does not tell of a HEIC file: whether the file itself says how its picture is to be turned.

Where it does, libheif has turned the pixels, and the orientation in EXIF must not turn them again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LARGEST_DESCRIPTION: Final = 8 * 1024 * 1024
TURNS: Final = frozenset({b"irot", b"imir"})
WIDE_IDS_OF_ITEMS: Final = 1
"""The version of a `pitm` or `ipma` box from which the ids of items have four bytes."""


@dataclass(frozen=True, slots=True)
class Box:
    """A named piece of a file, without its header."""

    kind: bytes
    content: bytes


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
        length, header = int.from_bytes(content[start : start + 4], "big"), 8
        if length == 1:
            length, header = int.from_bytes(content[start + 8 : start + 16], "big"), 16
        elif length == 0:
            length = len(content) - start
        if length < header:
            return
        if length <= LARGEST_DESCRIPTION:
            yield Box(content[start + 4 : start + 8], content[start + header : start + length])
        start += length


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
