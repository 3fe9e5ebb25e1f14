"""What Apple's cameras write about a picture beside the public tags. Runs in a decode child."""

from io import BytesIO
from typing import Final

from PIL.TiffImagePlugin import ImageFileDirectory_v2

SIGNATURE: Final = b"Apple iOS\0"
DIRECTORY_AT: Final = 14
"""After the signature, a version and the byte order, which is always the big end first."""

TIFF_HEADER: Final = b"MM\0*\0\0\0\x08"
CONTENT_IDENTIFIER: Final = 0x11
LARGEST_NOTE: Final = 256 * 1024


def content_identifier(note: object) -> str:
    """What both halves of a Live Photo have in common, or an empty text. `note` is the maker note of EXIF."""
    if not isinstance(note, bytes) or not note.startswith(SIGNATURE) or len(note) > LARGEST_NOTE:
        return ""
    file = BytesIO(note)
    file.seek(DIRECTORY_AT)
    try:
        directory = ImageFileDirectory_v2(TIFF_HEADER)
        directory.load(file)
        value = directory.get(CONTENT_IDENTIFIER)
    except Exception:  # noqa: BLE001 -- a note of any shape: what cannot be read says nothing
        return ""
    return identifier_of(value)


def identifier_of(value: object) -> str:
    """An identifier as it is compared: Apple writes it in capital letters, others may not."""
    text = value.strip(" \0").upper() if isinstance(value, str) else ""
    return text if 0 < len(text) <= LONGEST_IDENTIFIER and set(text) <= IDENTIFIER_LETTERS else ""


LONGEST_IDENTIFIER: Final = 64
IDENTIFIER_LETTERS: Final = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-")
