"""What fails a file alone, and what fails a whole crawl."""

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.filesystem.file_tree import MountedFileTree
from adapters.memory.media_library import MemoryMediaLibrary
from application.ports.errors import StoreUnavailable
from application.ports.file_tree import FoundBatch, OpenFile, RootUnreadable
from application.ports.media_library import Added, Replaced
from application.ports.proxy_store import ProxiesUnwritable
from domain.media.asset import MediaAsset
from domain.media.file import FileSignature
from tests.support.crawling import Photos, counts, no_renderer, some_photos
from tests.support.photos import REAL_PHOTOS, a_jpeg, written


@pytest.fixture
async def photos(tmp_path: Path) -> Photos:
    return await some_photos(tmp_path)


async def test_what_lies_too_deep_fails_alone_and_nobody_goes_down_there(photos: Photos) -> None:
    deep = photos.root
    for _ in range(8):
        deep /= "d" * 249
    deep /= "d" * 42
    names = ["a.jpg", "ab.jpg", "folder/c.jpg"]
    for name in names:
        written(deep / name, a_jpeg(comment=name))

    tally = await photos.completed()

    assert len(str((deep / "a.jpg").relative_to(photos.root))) == 2_048
    assert counts(tally) == {"found": 3, "added": 1, "path-too-long": 2}
    assert await photos.failed() == {}
    assert counts(await photos.completed()) == {"found": 3, "unchanged": 1, "path-too-long": 2}


async def test_broken_files_fail_alone_each_with_its_reason(photos: Photos) -> None:
    for name in (
        "truncated.jpg",
        "truncated.png",
        "png_broken_stream.png",
        "png_broken_header.png",
        "bomb_header.gif",
        "heic_empty.heic",
        "heif_10bit.heif",
        "old_mpeg4.mp4",
        "gps_paris.jpg",
    ):
        photos.put(name, (REAL_PHOTOS / name).read_bytes())
    os.mkfifo(photos.root / "fifo.jpg")
    (photos.root / "link.jpg").symlink_to(REAL_PHOTOS / "gps_paris.jpg")

    tally = await photos.completed()

    assert counts(tally) == {
        "found": 11,
        "added": 3,
        "truncated": 2,
        "damaged": 2,
        "too-many-pixels": 1,
        "empty": 1,
        "passed-over": 2,
    }
    assert await photos.asset("truncated.jpg") is None
    assert (await photos.known("gps_paris.jpg")).metadata.width == 600


async def test_a_file_that_vanishes_during_the_crawl_is_counted_and_nothing_else(photos: Photos) -> None:
    photos.put("a.jpg")
    photos.put("b.jpg")

    tally = await photos.completed(tree=TreeThatLoses(photos.root / "a.jpg"))

    assert counts(tally) == {"found": 2, "added": 1, "vanished": 1}


class TreeThatLoses(MountedFileTree):
    """A file goes after it was found."""

    def __init__(self, lost: Path) -> None:
        super().__init__()
        self._lost = lost

    async def walk(self, root: str) -> AsyncIterator[FoundBatch]:
        async for batch in super().walk(root):
            self._lost.unlink(missing_ok=True)
            yield batch


async def test_a_file_that_is_written_while_it_is_read_waits_for_the_next_crawl(photos: Photos) -> None:
    photo = photos.put("a.jpg")

    during = await photos.completed(tree=TreeThatGrows(photo))
    after = await photos.completed()

    assert counts(during) == {"found": 1, "changed-while-read": 1}
    assert counts(after) == {"found": 1, "added": 1}


class TreeThatGrows(MountedFileTree):
    """A file grows while it is read."""

    def __init__(self, growing: Path) -> None:
        super().__init__()
        self._growing = growing

    async def signature(self, file: OpenFile) -> FileSignature:
        with self._growing.open("ab") as growing:
            growing.write(b"more")
        return await super().signature(file)


async def test_a_failure_that_nobody_foresaw_fails_its_file_alone(
    photos: Photos, caplog: pytest.LogCaptureFixture
) -> None:
    photos.put("secret-name.jpg")
    caplog.set_level("INFO")

    tally = await photos.completed(renderers=no_renderer)

    assert counts(tally) == {"found": 1, "internal": 1}
    assert "AssertionError" in caplog.text
    assert "secret-name" not in caplog.text


@pytest.mark.parametrize("name", ["missing", "photos/a.jpg"])
async def test_a_root_that_cannot_be_read_fails_the_crawl(photos: Photos, tmp_path: Path, name: str) -> None:
    photos.put("a.jpg")
    lost = replace(photos, folder=replace(photos.folder, root=str(tmp_path / name)))

    with pytest.raises(RootUnreadable):
        await lost.crawl()


async def test_proxies_that_cannot_be_written_fail_the_crawl_and_leave_no_rows(photos: Photos) -> None:
    for number in range(20):
        photos.put(f"{number}.jpg")
    written(photos.proxies, b"not a folder")

    with pytest.raises(ProxiesUnwritable):
        await photos.crawl()

    assert [await photos.asset(f"{number}.jpg") for number in range(20)] == [None] * 20

    photos.proxies.unlink()
    assert counts(await photos.completed()) == {"found": 20, "added": 20}


async def test_a_store_that_is_away_fails_the_crawl_and_no_file(photos: Photos) -> None:
    photos.put("a.jpg")

    with pytest.raises(StoreUnavailable):
        await photos.crawl(library=LibraryThatIsAway(photos.database))


class LibraryThatIsAway(MemoryMediaLibrary):
    async def store(self, asset: MediaAsset) -> Added | Replaced:
        raise StoreUnavailable(str(asset.id))
