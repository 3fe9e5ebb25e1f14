"""What a picture says of itself, apart from its date."""

from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum

from domain.media.place import Place


class Orientation(IntEnum):
    """How the stored pixels must be turned to be seen upright: the values of EXIF."""

    UPRIGHT = 1
    MIRRORED = 2
    UPSIDE_DOWN = 3
    FLIPPED = 4
    TRANSPOSED = 5
    ON_ITS_LEFT = 6
    TRANSVERSED = 7
    ON_ITS_RIGHT = 8

    @property
    def swaps_sides(self) -> bool:
        """Whether width and height change places."""
        return self >= Orientation.TRANSPOSED


def orientation_of(value: object) -> Orientation:
    """The orientation a tag means. Absent or out of range means upright."""
    if isinstance(value, int) and value in list(Orientation):
        return Orientation(value)
    return Orientation.UPRIGHT


@dataclass(frozen=True, slots=True)
class Metadata:
    """Width and height are those of the picture as displayed, orientation is that of the stored pixels.

    None means that nobody could look, as at videos where nothing is there to read them with; an empty text
    that the file does not say.
    """

    width: int | None = None
    height: int | None = None
    orientation: Orientation = Orientation.UPRIGHT
    place: Place | None = None
    camera_make: str = ""
    camera_model: str = ""
    lens_model: str = ""
    duration: timedelta | None = None
    """How long a video runs; None for a picture."""
    content_identifier: str = ""
    """What the two halves of a Live Photo have in common, in capital letters."""
