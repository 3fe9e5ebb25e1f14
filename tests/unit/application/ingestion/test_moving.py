"""Files that were moved, renamed and copied: the same asset elsewhere, or one more."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from application.handling import StopReason
from application.ingestion.ingest import Interrupted
from application.ingestion.settlement import RemovalsRefused
from tests.support.crawling import Photos, a_hasher, counts, no_renderer, some_photos
from tests.support.photos import a_jpeg, exif


@pytest.fixture
async def photos(tmp_path: Path) -> Photos:
    return await some_photos(tmp_path)


async def test_a_renamed_file_keeps_its_id_and_is_not_decoded(photos: Photos) -> None:
    photo = photos.put("2019/beach.jpg")
    await photos.completed()
    before, proxies = await photos.known("2019/beach.jpg"), photos.proxy_files()
    (photos.root / "best").mkdir()
    photo.rename(photos.root / "best/sea.jpg")

    tally = await photos.completed(renderers=a_hasher)

    after = await photos.known("best/sea.jpg")
    assert counts(tally) == {"found": 1, "moved": 1}
    assert after == replace(before, path=after.path, signature=after.signature)
    assert await photos.asset("2019/beach.jpg") is None
    assert photos.proxy_files() == proxies
    assert counts(await photos.completed(renderers=no_renderer)) == {"found": 1, "unchanged": 1}


async def test_a_whole_library_that_moves_into_a_folder_loses_nothing(photos: Photos) -> None:
    for number in range(40):
        photos.put(f"{number:02}.jpg")
    await photos.completed()
    ids = [(await photos.known(f"{number:02}.jpg")).id for number in range(40)]
    (photos.root / "all").mkdir()
    for number in range(40):
        (photos.root / f"{number:02}.jpg").rename(photos.root / f"all/{number:02}.jpg")

    tally = await photos.completed(renderers=a_hasher)

    assert counts(tally) == {"found": 40, "moved": 40}
    assert [(await photos.known(f"all/{number:02}.jpg")).id for number in range(40)] == ids


async def test_of_copies_that_move_each_keeps_the_id_that_its_name_tells(photos: Photos) -> None:
    for name in ("x/a.jpg", "x/b.jpg", "x/c.jpg"):
        photos.put(name, a_jpeg())
    await photos.completed()
    ids = {name: (await photos.known(f"x/{name}")).id for name in ("a.jpg", "b.jpg", "c.jpg")}
    (photos.root / "y").mkdir()
    (photos.root / "x/c.jpg").rename(photos.root / "y/c.jpg")
    (photos.root / "x/a.jpg").rename(photos.root / "y/0.jpg")

    tally = await photos.completed(renderers=a_hasher)

    assert counts(tally) == {"found": 3, "unchanged": 1, "moved": 2}
    assert (await photos.known("x/b.jpg")).id == ids["b.jpg"]
    assert (await photos.known("y/c.jpg")).id == ids["c.jpg"]
    assert (await photos.known("y/0.jpg")).id == ids["a.jpg"]


async def test_a_copy_of_a_file_that_stays_is_an_asset_of_its_own(photos: Photos) -> None:
    photos.put("a.jpg", a_jpeg())
    await photos.completed()
    original = await photos.known("a.jpg")
    photos.put("b/a.jpg", a_jpeg())

    tally = await photos.completed()

    copy = await photos.known("b/a.jpg")
    assert counts(tally) == {"found": 2, "unchanged": 1, "added": 1}
    assert copy.id != original.id
    assert copy.proxies == original.proxies
    assert await photos.known("a.jpg") == original
    assert counts(await photos.completed(renderers=no_renderer)) == {"found": 2, "unchanged": 2}


async def test_a_copy_is_not_decoded_and_has_a_date_by_its_own_name(photos: Photos) -> None:
    block = exif({}, {0x9003: "2019:07:08 12:34:56"})
    photos.put("dated.jpg", a_jpeg(exif=block))
    photos.put("IMG_20020202_000000.jpg", a_jpeg((80, 60)))
    await photos.completed()
    photos.put("IMG_20110101_000000.jpg", a_jpeg(exif=block))
    photos.put("IMG_20120202_000000.jpg", a_jpeg((80, 60)))
    proxies = photos.proxy_files()

    tally = await photos.completed(renderers=a_hasher)

    dated, undated = (
        await photos.known("IMG_20110101_000000.jpg"),
        await photos.known("IMG_20120202_000000.jpg"),
    )
    assert counts(tally) == {"found": 4, "unchanged": 2, "added": 2}
    assert dated.captured == (await photos.known("dated.jpg")).captured
    assert undated.captured is not None
    assert undated.captured.day == date(2012, 2, 2)
    assert (undated.metadata.width, undated.metadata.height) == (80, 60)
    assert photos.proxy_files() == proxies


async def test_a_file_that_is_overwritten_with_a_copy_is_not_decoded(photos: Photos) -> None:
    photos.put("a.jpg")
    other = photos.put("b.jpg")
    await photos.completed()
    before = await photos.known("a.jpg")
    photos.put("a.jpg", other.read_bytes())

    tally = await photos.completed(renderers=a_hasher)

    after, same = await photos.known("a.jpg"), await photos.known("b.jpg")
    assert counts(tally) == {"found": 2, "replaced": 1, "unchanged": 1}
    assert (after.id, after.content, after.proxies) == (before.id, same.content, same.proxies)


async def test_a_copy_of_what_has_lost_a_proxy_is_decoded(photos: Photos) -> None:
    photos.put("a.jpg", a_jpeg())
    await photos.completed()
    (proxy, *_) = photos.proxy_files()
    (photos.proxies / proxy).unlink()
    photos.put("b.jpg", a_jpeg())

    tally = await photos.completed()

    assert counts(tally) == {"found": 2, "unchanged": 1, "added": 1}
    assert proxy in photos.proxy_files()


async def test_a_verifying_crawl_believes_no_twin(photos: Photos) -> None:
    photos.put("a.jpg", a_jpeg())
    await photos.completed()
    photos.put("b.jpg", a_jpeg())
    before = photos.proxy_files()

    tally = await photos.completed(verify=True)

    assert counts(tally) == {"found": 2, "unchanged": 1, "added": 1}
    assert photos.proxy_files() != before


async def test_of_one_file_that_went_and_two_that_came_one_is_the_old_one(photos: Photos) -> None:
    photo = photos.put("a.jpg", a_jpeg())
    await photos.completed()
    before = await photos.known("a.jpg")
    photo.unlink()
    photos.put("y/b.jpg", a_jpeg())
    photos.put("z/a.jpg", a_jpeg())

    tally = await photos.completed()

    assert counts(tally) == {"found": 2, "moved": 1, "added": 1}
    assert (await photos.known("z/a.jpg")).id == before.id
    assert (await photos.known("y/b.jpg")).id != before.id


async def test_a_file_that_was_away_for_a_while_keeps_its_id_in_another_place(
    photos: Photos, tmp_path: Path
) -> None:
    photo = photos.put("a.jpg", a_jpeg((80, 60)))
    photos.put("b.jpg")
    await photos.completed()
    before = await photos.known("a.jpg")
    photo.rename(tmp_path / "away.jpg")
    await photos.completed()

    (tmp_path / "away.jpg").rename(photos.root / "c.jpg")
    tally = await photos.completed(renderers=a_hasher)

    after = await photos.known("c.jpg")
    assert counts(tally) == {"found": 2, "unchanged": 1, "moved": 1}
    assert (after.id, after.is_gone) == (before.id, False)


async def test_a_date_in_the_content_stays_and_one_in_the_name_follows_the_name(photos: Photos) -> None:
    block = exif({}, {0x9003: "2019:07:08 12:34:56"})
    dated = photos.put("IMG_20010101_000000.jpg", a_jpeg(exif=block))
    undated = photos.put("IMG_20020202_000000.jpg", a_jpeg((80, 60)))
    await photos.completed()
    dated.rename(photos.root / "IMG_20110101_000000.jpg")
    undated.rename(photos.root / "IMG_20120202_000000.jpg")

    await photos.completed(renderers=a_hasher)

    first = (await photos.known("IMG_20110101_000000.jpg")).captured
    second = (await photos.known("IMG_20120202_000000.jpg")).captured
    assert first is not None
    assert second is not None
    assert first.day == date(2019, 7, 8)
    assert second.day == date(2012, 2, 2)


async def test_moved_files_are_not_moved_when_too_much_else_is_gone(photos: Photos) -> None:
    for number in range(40):
        photos.put(f"{number:02}.jpg")
    await photos.completed()
    (photos.root / "39.jpg").rename(photos.root / "moved.jpg")
    for number in range(25):
        (photos.root / f"{number:02}.jpg").unlink()

    with pytest.raises(RemovalsRefused):
        await photos.crawl()

    assert not (await photos.known("39.jpg")).is_gone
    assert await photos.asset("moved.jpg") is None
    assert counts(await photos.completed(accept_removals=True)) == {
        "found": 15,
        "unchanged": 14,
        "moved": 1,
        "missing": 25,
    }


async def test_a_stop_among_the_copies_is_an_interruption(photos: Photos) -> None:
    photos.put("a.jpg", a_jpeg())
    await photos.completed()
    for number in range(5):
        photos.put(f"copy/{number}.jpg", a_jpeg())

    def stop_at_first(tally: object) -> None:
        if getattr(tally, "added", 0):
            photos.stop.request(StopReason.CANCEL_REQUESTED)

    outcome = await photos.crawl(report=stop_at_first, max_concurrent_files=1)

    assert isinstance(outcome, Interrupted)
    assert outcome.tally.added == 1
