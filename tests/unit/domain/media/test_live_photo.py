from collections.abc import Iterable
from dataclasses import replace
from datetime import date, time, timedelta
from uuid import UUID

import pytest

from domain.media.asset import AssetId
from domain.media.capture_date import CaptureDate, DateSource
from domain.media.content import MediaType
from domain.media.file import RelativePath
from domain.media.live_photo import PairCandidate, Pairing, pair_key, pairings

NOON = CaptureDate(date(2020, 5, 17), time(12, 0), None, DateSource.EXIF_ORIGINAL)


def a_file(
    number: int, path: str, identifier: str = "", captured: CaptureDate | None = None
) -> PairCandidate:
    suffixes = {
        "heic": MediaType.HEIC,
        "mov": MediaType.QUICKTIME,
        "jpg": MediaType.JPEG,
        "png": MediaType.PNG,
    }
    return PairCandidate(
        id=AssetId(UUID(int=number)),
        path=RelativePath(path.encode()),
        media_type=suffixes[path.rpartition(".")[2].lower()],
        captured=captured,
        content_identifier=identifier,
        is_gone=False,
        paired_with=None,
    )


def halves(*candidates: PairCandidate) -> dict[int, int]:
    """Whom the first candidates pair with, both ways, as numbers."""
    return {change.asset.int: change.half.int for change in pairings(candidates) if change.half is not None}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (b"a/IMG_1.HEIC", b"a/img_1.mov", True),
        (b"\xc3\x89t\xc3\xa9.heic", b"\xc3\xa9T\xc3\x89.MOV", True),
        (b"a\xe9B.heic", b"A\xe9b.mov", True),
        (b"a/IMG_1.HEIC", b"A/IMG_1.MOV", False),
        (b"a/1.heic", b"b/1.mov", False),
        (b"1.heic", b"1.jpg.mov", False),
        (b"a\xe9.heic", b"a\xc9.mov", False),
    ],
)
def test_names_belong_together_in_one_folder_whatever_their_capitals(
    one: bytes, other: bytes, *, same: bool
) -> None:
    assert (pair_key(RelativePath(one)) == pair_key(RelativePath(other))) is same


def test_a_still_and_a_film_of_one_name_are_a_pair() -> None:
    assert halves(a_file(1, "a/1.heic"), a_file(2, "a/1.MOV"), a_file(3, "a/2.mov")) == {1: 2, 2: 1}
    assert halves(a_file(1, "1.jpg"), a_file(2, "1.mov")) == {1: 2, 2: 1}
    assert halves(a_file(1, "1.png"), a_file(2, "1.mov")) == {}
    assert halves(a_file(1, "1.heic"), a_file(2, "1.jpg")) == {}


def test_identifiers_decide_where_both_have_one() -> None:
    assert halves(a_file(1, "1.heic", "A"), a_file(2, "1.mov", "B")) == {}
    assert halves(a_file(1, "1.heic", "A"), a_file(2, "1.mov", "A")) == {1: 2, 2: 1}
    assert halves(a_file(1, "1.heic", "A"), a_file(2, "1.mov")) == {1: 2, 2: 1}


def shifted(seconds: int, **changes: object) -> CaptureDate:
    return replace(NOON, wall_time=time(12, 0, seconds), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("still", "film", "paired"),
    [
        (NOON, shifted(5), True),
        (NOON, shifted(6), False),
        (shifted(6), NOON, False),
        (NOON, shifted(30, source=DateSource.MODIFIED), True),
        (NOON, shifted(30, source=DateSource.FILE_NAME), True),
        (NOON, shifted(30, offset=timedelta(hours=2)), True),
        (NOON, shifted(0, day=date(2020, 5, 18), offset=-timedelta(hours=2)), True),
        (NOON, shifted(1, day=date(2020, 5, 18), offset=-timedelta(hours=2)), False),
        (shifted(0, offset=timedelta()), shifted(0, day=date(2018, 5, 17)), False),
        (shifted(0, offset=timedelta(hours=1)), shifted(0, offset=timedelta(hours=2)), False),
        (
            shifted(0, offset=timedelta()),
            replace(shifted(1, offset=timedelta(hours=2)), wall_time=time(14, 0, 1)),
            True,
        ),
    ],
)
def test_moments_decide_where_both_contents_tell_them(
    still: CaptureDate, film: CaptureDate, *, paired: bool
) -> None:
    found = halves(a_file(1, "1.heic", captured=still), a_file(2, "1.mov", captured=film))

    assert found == ({1: 2, 2: 1} if paired else {})


def test_equal_identifiers_count_for_more_than_moments() -> None:
    assert halves(a_file(1, "1.heic", "A", NOON), a_file(2, "1.mov", "A", shifted(30))) == {1: 2, 2: 1}


def orders(*files: PairCandidate) -> Iterable[tuple[PairCandidate, ...]]:
    return (files, tuple(reversed(files)))


def test_of_several_stills_the_surest_is_taken_in_whatever_order_they_come() -> None:
    heic, jpg, film = a_file(1, "1.heic"), a_file(2, "1.jpg"), a_file(3, "1.mov")
    for order in orders(heic, jpg, film):
        assert halves(*order) == {1: 3, 3: 1}

    surer = replace(jpg, content_identifier="A")
    film = replace(film, content_identifier="A")
    for order in orders(heic, surer, film):
        assert halves(*order) == {2: 3, 3: 2}


def test_only_what_changes_is_told() -> None:
    still, film = a_file(1, "1.heic"), a_file(2, "1.mov")
    paired = (replace(still, paired_with=film.id), replace(film, paired_with=still.id))

    assert pairings(paired) == ()
    assert pairings((still, paired[1])) == (Pairing(still.id, film.id),)
    assert pairings((paired[0], replace(paired[1], is_gone=True))) == (
        Pairing(still.id, None),
        Pairing(film.id, None),
    )
    assert pairings((replace(still, paired_with=AssetId(UUID(int=9))),)) == (Pairing(still.id, None),)
