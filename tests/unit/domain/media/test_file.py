from domain.media.file import RelativePath, file_name, folder_of, folders_above, path_text
from domain.media.metadata import Orientation, orientation_of


def test_the_name_is_the_last_part_of_the_path() -> None:
    assert file_name(RelativePath(b"2019/summer/beach.jpg")) == "beach.jpg"
    assert file_name(RelativePath("beach-\u00fc.jpg".encode())) == "beach-ü.jpg"


def test_bytes_that_are_not_utf_8_show_escaped() -> None:
    assert file_name(RelativePath(b"2019/caf\xe9.jpg")) == "caf\\xe9.jpg"


def test_no_two_paths_have_the_same_text() -> None:
    alike = [
        b"caf\xe9.jpg",
        rb"caf\xe9.jpg",
        "caf\u00e9.jpg".encode(),
        "cafe\u0301.jpg".encode(),
        rb"caf\\xe9.jpg",
    ]

    assert len({path_text(path) for path in alike}) == 5
    assert path_text(rb"a\b") == r"a\\b"


def test_a_file_lies_below_every_folder_on_its_path() -> None:
    assert folders_above(RelativePath(b"a/b/c.jpg")) == (b"a/", b"a/b/")
    assert folders_above(RelativePath(b"a/b/")) == (b"a/",)
    assert folders_above(RelativePath(b"c.jpg")) == ()
    assert folder_of(RelativePath(b"a/b/c.jpg")) == b"a/b"
    assert folder_of(RelativePath(b"c.jpg")) == b""


def test_an_orientation_out_of_range_means_upright() -> None:
    assert [orientation_of(value) for value in (0, 9, None, "6", 1)] == [Orientation.UPRIGHT] * 5
    assert orientation_of(6) is Orientation.ON_ITS_LEFT


def test_the_four_turned_by_a_quarter_swap_their_sides() -> None:
    assert [value for value in Orientation if value.swaps_sides] == [5, 6, 7, 8]
