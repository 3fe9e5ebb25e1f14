import pytest

from domain.photo_root import admitted_root


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("/photos", "/photos"),
        ("/photos/", "/photos"),
        ("//photos//ada/.", "/photos/ada"),
        ("/photos/Été 2024", "/photos/Été 2024"),
        ("/", "/"),
    ],
)
def test_a_root_is_kept_in_one_way_of_writing_it(written: str, kept: str) -> None:
    assert admitted_root(written, beside=[]) == kept


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("photos", "the path of a photo folder must be absolute"),
        ("", "the path of a photo folder must be absolute"),
        ("./photos", "the path of a photo folder must be absolute"),
        ("/photos/../etc", "the path of a photo folder must not climb: it holds '..'"),
        ("/photos\0", "the path of a photo folder must be text in UTF-8"),
        ("/photos/\udcff", "the path of a photo folder must be text in UTF-8"),
    ],
)
def test_a_root_that_no_store_could_compare_is_refused(written: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}$"):
        admitted_root(written, beside=[])


@pytest.mark.parametrize(
    ("root", "other"),
    [
        ("/photos", "/photos"),
        ("/photos/", "/photos"),
        ("/photos/ada", "/photos"),
        ("/photos", "/photos/ada/2024"),
        ("/", "/photos"),
        ("/photos", "/"),
    ],
)
def test_a_root_that_shares_files_with_another_is_refused(root: str, other: str) -> None:
    with pytest.raises(ValueError, match="another photo folder is this one, lies within it, or holds it"):
        admitted_root(root, beside=["/elsewhere", other])


@pytest.mark.parametrize("other", ["/photos2", "/photo", "/PHOTOS", "/photos.old/ada"])
def test_a_root_whose_name_only_looks_alike_is_not_nested(other: str) -> None:
    assert admitted_root("/photos", beside=[other]) == "/photos"
