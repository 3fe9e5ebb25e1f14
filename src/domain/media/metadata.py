"""What a picture says of itself, apart from its date."""

from dataclasses import dataclass
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

    An empty text means that the file does not say.
    """

    width: int
    height: int
    orientation: Orientation = Orientation.UPRIGHT
    place: Place | None = None
    camera_make: str = ""
    camera_model: str = ""
    lens_model: str = ""
