"""Where a picture was taken: the rules for GPS tags."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

SIXTIETHS: Final = (1, 60, 3600)
LARGEST_LATITUDE: Final = 90
LARGEST_LONGITUDE: Final = 180


@dataclass(frozen=True, slots=True)
class Place:
    """Degrees north and east."""

    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Angle:
    """Degrees, minutes and seconds as tags hold them, and the letter that gives them a sign."""

    parts: Sequence[float]
    direction: str


def place_of(north: Angle, east: Angle) -> Place | None:
    """The place, or None when the tags name none.

    A missing direction, a part that is not finite (0/0 in the file) or negative, and what lies outside
    the globe are no place. Exactly 0, 0 is what a receiver without a fix writes; a single 0 is a value.
    """
    latitude = _degrees(north, positive="N", negative="S")
    longitude = _degrees(east, positive="E", negative="W")
    return None if latitude is None or longitude is None else place_at(latitude, longitude)


def place_at(latitude: float, longitude: float) -> Place | None:
    """The same rules for plain numbers."""
    if not (abs(latitude) <= LARGEST_LATITUDE and abs(longitude) <= LARGEST_LONGITUDE):
        return None
    return None if latitude == 0 and longitude == 0 else Place(latitude, longitude)


def _degrees(angle: Angle, *, positive: str, negative: str) -> float | None:
    direction = angle.direction.strip().upper()[:1]
    if direction not in {positive, negative} or not 1 <= len(angle.parts) <= len(SIXTIETHS):
        return None
    if not all(isfinite(part) and part >= 0 for part in angle.parts):
        return None
    degrees = sum(part / sixtieth for part, sixtieth in zip(angle.parts, SIXTIETHS, strict=False))
    return -degrees if direction == negative else degrees
