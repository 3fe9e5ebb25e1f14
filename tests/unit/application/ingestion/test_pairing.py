"""Live Photos: two files that find each other whenever both are there."""

from pathlib import Path

import pytest

from tests.support.crawling import Labelled, Photos, labelled, some_photos


@pytest.fixture
async def photos(tmp_path: Path) -> Photos:
    return await some_photos(tmp_path)


def put(photos: Photos, name: str, media_type: str, identifier: str = "-") -> Path:
    return photos.put(name, labelled(name, media_type, identifier))


async def halves(photos: Photos) -> dict[str, str]:
    """The path of each paired asset with that of its other half."""
    everyone = await photos.library.candidates(photos.folder.config)
    names = {one.id: one.path.decode() for one in everyone}
    return {names[one.id]: names[one.paired_with] for one in everyone if one.paired_with is not None}


async def crawl(photos: Photos) -> dict[str, str]:
    await photos.completed(renderers=Labelled)
    return await halves(photos)


async def test_two_halves_find_each_other_in_each_folder(photos: Photos) -> None:
    for folder in ("a", "copy"):
        put(photos, f"{folder}/IMG_1.HEIC", "image/heic", "AB-1")
        put(photos, f"{folder}/img_1.mov", "video/quicktime", "AB-1")
    put(photos, "IMG_1.MOV", "video/quicktime", "AB-1")

    assert await crawl(photos) == {
        "a/IMG_1.HEIC": "a/img_1.mov",
        "a/img_1.mov": "a/IMG_1.HEIC",
        "copy/IMG_1.HEIC": "copy/img_1.mov",
        "copy/img_1.mov": "copy/IMG_1.HEIC",
    }


async def test_a_half_that_comes_later_finds_the_one_that_is_there(photos: Photos) -> None:
    put(photos, "1.jpg", "image/jpeg")
    assert await crawl(photos) == {}

    put(photos, "1.mov", "video/quicktime")

    assert await crawl(photos) == {"1.jpg": "1.mov", "1.mov": "1.jpg"}


async def test_a_half_that_goes_leaves_the_other_alone_and_comes_back_to_it(
    photos: Photos, tmp_path: Path
) -> None:
    put(photos, "1.heic", "image/heic")
    film = put(photos, "1.mov", "video/quicktime")
    paired = await crawl(photos)
    film.rename(tmp_path / "away.mov")

    assert await crawl(photos) == {}

    (tmp_path / "away.mov").rename(film)
    assert await crawl(photos) == paired


async def test_a_half_that_moves_away_takes_no_other_along(photos: Photos) -> None:
    put(photos, "1.heic", "image/heic")
    film = put(photos, "1.mov", "video/quicktime")
    await crawl(photos)
    (photos.root / "films").mkdir()
    film.rename(photos.root / "films/1.mov")

    assert await crawl(photos) == {}

    (photos.root / "1.heic").rename(photos.root / "films/1.heic")
    assert await crawl(photos) == {"films/1.heic": "films/1.mov", "films/1.mov": "films/1.heic"}


async def test_a_second_crawl_pairs_nothing_anew(photos: Photos, monkeypatch: pytest.MonkeyPatch) -> None:
    put(photos, "1.heic", "image/heic")
    put(photos, "1.mov", "video/quicktime")
    before = await crawl(photos)

    async def nothing(*_: object) -> None:
        raise AssertionError("somebody pairs")

    monkeypatch.setattr(photos.library, "pair", nothing)
    assert await crawl(photos) == before
