"""Broken files are tried once, remembered, and forgotten when they are well."""

import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from adapters.memory.database import MemoryDatabase
from adapters.memory.media_library import MemoryMediaFailures
from application.ports.file_tree import OpenFile
from application.ports.image_renderer import Identified, Unrenderable
from application.ports.media_library import Stretch
from domain.ids import StorageConfigId
from domain.media.failed_file import FailedFile, RememberedFailure
from domain.media.failure import FailureReason
from tests.support.crawling import Labelled, Photos, counts, labelled, no_renderer, some_photos
from tests.support.photos import a_jpeg, without_rights, written

BROKEN = b"\xff\xd8\xffnothing"


@pytest.fixture
async def photos(tmp_path: Path) -> Photos:
    return await some_photos(tmp_path)


async def rows(photos: Photos) -> tuple[RememberedFailure, ...]:
    return await photos.failures.known(photos.folder.config, Stretch(), limit=100)


async def test_a_broken_file_is_remembered_and_not_read_again(photos: Photos) -> None:
    photo = photos.put("a/broken.jpg", BROKEN)
    photos.put("empty.png", b"")

    first = await photos.completed()
    before = await rows(photos)
    photos.clock.advance(timedelta(hours=4))
    second = await photos.completed(renderers=no_renderer)

    assert counts(first) == counts(second) == {"found": 2, "damaged": 1, "empty": 1}
    assert await photos.failed() == {"a/broken.jpg": "damaged", "empty.png": "empty"}
    assert await rows(photos) == before
    assert (before[0].failed.size, before[0].failed.mtime_ns) == (10, photo.stat().st_mtime_ns)
    assert before[0].first_seen_at == before[0].last_seen_at


async def test_verify_tries_it_again_and_says_when(photos: Photos) -> None:
    photos.put("broken.jpg", BROKEN)
    await photos.completed()
    (before,) = await rows(photos)
    photos.clock.advance(timedelta(hours=4))

    assert counts(await photos.completed(verify=True)) == {"found": 1, "damaged": 1}
    assert counts(await photos.completed(verify=True, renderers=no_renderer)) == {"found": 1, "internal": 1}

    (after,) = await rows(photos)
    assert after.first_seen_at == before.first_seen_at
    assert after.last_seen_at - before.last_seen_at == timedelta(hours=4)


async def test_a_file_that_was_repaired_is_taken_in_and_forgotten(photos: Photos) -> None:
    photos.put("broken.jpg", BROKEN)
    await photos.completed()

    photos.put("broken.jpg")

    assert counts(await photos.completed()) == {"found": 1, "added": 1}
    assert await photos.failed() == {}


async def test_a_broken_file_that_goes_is_forgotten(photos: Photos) -> None:
    photos.put("a.jpg")
    photos.put("broken.jpg", BROKEN)
    await photos.completed()
    (photos.root / "broken.jpg").unlink()

    assert counts(await photos.completed()) == {"found": 1, "unchanged": 1}
    assert await photos.failed() == {}


async def test_a_file_that_breaks_keeps_its_asset_and_is_not_read_again(photos: Photos) -> None:
    photos.put("a.jpg")
    await photos.completed()
    before = await photos.known("a.jpg")
    photos.put("a.jpg", BROKEN)

    first = await photos.completed()
    second = await photos.completed(renderers=no_renderer)

    assert counts(first) == counts(second) == {"found": 1, "damaged": 1}
    assert await photos.known("a.jpg") == before


async def test_a_broken_file_that_becomes_what_it_was_is_forgotten(photos: Photos, tmp_path: Path) -> None:
    photo = photos.put("a.jpg")
    await photos.completed()
    photo.rename(tmp_path / "kept.jpg")
    photos.put("a.jpg", BROKEN)
    await photos.completed()

    (tmp_path / "kept.jpg").replace(photo)

    assert counts(await photos.completed()) == {"found": 1, "unchanged": 1}
    assert await photos.failed() == {}


async def test_a_broken_path_at_which_a_moved_file_arrives_is_forgotten(photos: Photos) -> None:
    photo = photos.put("a.jpg")
    photos.put("b.jpg", BROKEN)
    await photos.completed()

    photo.replace(photos.root / "b.jpg")

    assert counts(await photos.completed()) == {"found": 1, "moved": 1}
    assert await photos.failed() == {}


async def test_what_may_not_be_read_is_tried_again_until_it_may() -> None:
    with without_rights() as folder:
        photos = await some_photos(folder)
        photos.put("a.jpg", labelled("a")).chmod(0)
        photos.put("locked/b.jpg", labelled("b"))
        (photos.root / "locked").chmod(0)

        first = await photos.completed(renderers=Labelled)
        before = await rows(photos)
        photos.clock.advance(timedelta(hours=4))
        second = await photos.completed(renderers=Labelled)

        assert counts(first) == counts(second) == {"found": 2, "unreadable": 1, "unreadable-folder": 1}
        assert await photos.failed() == {"a.jpg": "unreadable", "locked/": "unreadable-folder"}
        assert await rows(photos) == before

        (photos.root / "a.jpg").chmod(0o600)
        (photos.root / "locked").chmod(0o700)
        assert counts(await photos.completed(renderers=Labelled)) == {"found": 2, "added": 2}
        assert await photos.failed() == {}


class CountingFailures(MemoryMediaFailures):
    def __init__(self, database: MemoryDatabase) -> None:
        super().__init__(database)
        self.writes = 0

    async def record(self, config: StorageConfigId, failures: Sequence[FailedFile], *, at: datetime) -> None:
        self.writes += 1
        await super().record(config, failures, at=at)


async def test_what_fails_unread_is_remembered_many_at_a_time(photos: Photos) -> None:
    for number in range(40):
        photos.put(f"{number}.jpg", b"")
    failures = CountingFailures(photos.database)

    await photos.completed(failures=failures)

    assert len(await failures.known(photos.folder.config, Stretch(), limit=100)) == 40
    assert failures.writes == 1


class Stalled(Labelled):
    async def identify(self, _file: OpenFile) -> Identified | Unrenderable:
        return Unrenderable(FailureReason.NO_ANSWER)


async def test_what_a_stalled_disk_did_not_give_is_tried_again(photos: Photos) -> None:
    photos.put("a.jpg", labelled("a"))

    stalled = await photos.completed(renderers=Stalled)

    assert counts(stalled) == {"found": 1, "no-answer": 1}
    assert await photos.failed() == {"a.jpg": "no-answer"}
    assert counts(await photos.completed(renderers=Labelled)) == {"found": 1, "added": 1}
    assert await photos.failed() == {}


async def test_failures_below_a_barred_folder_are_kept() -> None:
    with without_rights() as folder:
        photos = await some_photos(folder)
        photos.put("locked/broken.jpg", BROKEN)
        await photos.completed(renderers=Labelled)
        (photos.root / "locked").chmod(0)

        await photos.completed(renderers=Labelled)

        (photos.root / "locked").chmod(0o700)
        assert await photos.failed() == {"locked/": "unreadable-folder", "locked/broken.jpg": "damaged"}


async def test_a_young_file_waits_for_the_next_crawl_and_an_old_one_does_not(photos: Photos) -> None:
    now = photos.clock.now().timestamp()
    for name, age in (("young.jpg", 2.9), ("ahead.jpg", -2.9), ("old.jpg", 3.1), ("far-ahead.jpg", -3.1)):
        touched(photos.put(name), now - age)

    first = await photos.completed()
    photos.clock.advance(timedelta(seconds=10))
    second = await photos.completed()

    assert counts(first) == {"found": 4, "added": 2, "waiting": 2}
    assert counts(second) == {"found": 4, "added": 2, "unchanged": 2}


async def test_a_known_file_need_not_be_old_to_be_unchanged(photos: Photos) -> None:
    touched(photos.put("a.jpg"), photos.clock.now().timestamp() - 3.1)
    await photos.completed()

    touched(photos.put("a.jpg", a_jpeg((100, 50))), photos.clock.now().timestamp())

    assert counts(await photos.completed()) == {"found": 1, "waiting": 1}


def touched(photo: Path, at: float) -> Path:
    os.utime(photo, (at, at))
    return photo


async def test_proxies_that_were_lost_are_made_again_when_all_is_verified(photos: Photos) -> None:
    photos.put("a.jpg")
    photos.put("b.jpg")
    await photos.completed()
    asset = await photos.known("a.jpg")
    lost, cut = (photos.proxies / proxy.path for proxy in asset.proxies)
    before = photos.proxy_files()
    lost.unlink()
    written(cut, b"half")

    plain = await photos.completed(renderers=no_renderer)
    verified = await photos.completed(verify=True)

    assert counts(plain) == {"found": 2, "unchanged": 2}
    assert counts(verified) == {"found": 2, "unchanged": 1, "replaced": 1}
    assert await photos.known("a.jpg") == asset
    assert sorted(photos.proxy_files()) == sorted(before)
    assert [(photos.proxies / proxy.path).stat().st_size for proxy in asset.proxies] == [
        proxy.size for proxy in asset.proxies
    ]
