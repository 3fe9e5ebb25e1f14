from domain.media.file import RelativePath, file_name
from domain.media.metadata import Orientation, orientation_of


def test_the_name_is_the_last_part_of_the_path() -> None:
    assert file_name(RelativePath(b"2019/summer/beach.jpg")) == "beach.jpg"
    assert file_name(RelativePath("beach-\u00fc.jpg".encode())) == "beach-ü.jpg"


def test_bytes_that_are_not_utf_8_show_escaped() -> None:
    assert file_name(RelativePath(b"2019/caf\xe9.jpg")) == "caf\\xe9.jpg"


def test_an_orientation_out_of_range_means_upright() -> None:
    assert [orientation_of(value) for value in (0, 9, None, "6", 1)] == [Orientation.UPRIGHT] * 5
    assert orientation_of(6) is Orientation.ON_ITS_LEFT


def test_the_four_turned_by_a_quarter_swap_their_sides() -> None:
    assert [value for value in Orientation if value.swaps_sides] == [5, 6, 7, 8]
