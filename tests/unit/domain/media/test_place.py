from math import inf, nan

import pytest

from domain.media.place import Angle, Place, place_at, place_of

NORTH = Angle((48, 51.5, 0), "N")
EAST = Angle((2, 18, 0), "E")


def test_degrees_minutes_and_seconds_are_added_up() -> None:
    assert place_of(Angle((48, 30, 36), "N"), Angle((2, 15, 18), "E")) == Place(48.51, 2.255)


@pytest.mark.parametrize(
    ("north", "east", "place"),
    [
        ("N", "E", Place(10.5, 20.5)),
        ("S", "E", Place(-10.5, 20.5)),
        ("N", "W", Place(10.5, -20.5)),
        ("s", "w\0", Place(-10.5, -20.5)),
    ],
)
def test_the_direction_gives_the_sign(north: str, east: str, place: Place) -> None:
    assert place_of(Angle((10, 30), north), Angle((20, 30), east)) == place


def test_zero_zero_is_no_place_but_a_single_zero_is_a_value() -> None:
    assert place_of(Angle((0, 0, 0), "N"), Angle((0, 0, 0), "E")) is None
    assert place_of(Angle((0, 0, 0), "N"), Angle((10, 30, 0), "E")) == Place(0, 10.5)
    assert place_of(Angle((10, 30, 0), "N"), Angle((0, 0, 0), "E")) == Place(10.5, 0)


@pytest.mark.parametrize("parts", [(nan, nan, nan), (inf, 0, 0), (-10, 0, 0), (90, 0, 1), (), (1, 2, 3, 4)])
def test_what_lies_nowhere_is_no_place(parts: tuple[float, ...]) -> None:
    assert place_of(Angle(parts, "N"), EAST) is None


def test_longitude_reaches_180_and_no_further() -> None:
    assert place_of(Angle((10,), "N"), Angle((180,), "W")) == Place(10, -180)
    assert place_of(Angle((10,), "N"), Angle((180, 0, 1), "W")) is None


@pytest.mark.parametrize("direction", ["", " ", "E", "X"])
def test_without_its_direction_a_latitude_is_none(direction: str) -> None:
    assert place_of(Angle(NORTH.parts, direction), EAST) is None


@pytest.mark.parametrize(
    ("latitude", "longitude", "place"),
    [
        (48.8577, 2.295, Place(48.8577, 2.295)),
        (-90, 180, Place(-90, 180)),
        (0, 2.295, Place(0, 2.295)),
        (0, 0, None),
        (90.1, 0, None),
        (0, -180.1, None),
        (nan, 2.295, None),
        (48.8577, inf, None),
    ],
)
def test_plain_degrees_follow_the_same_rules(latitude: float, longitude: float, place: Place | None) -> None:
    assert place_at(latitude, longitude) == place
