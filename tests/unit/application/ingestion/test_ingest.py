"""What a crawl does to a folder's rows and proxies, with real files and real children."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from datetime import date, time, timedelta
from pathlib import Path

import pytest

from adapters.filesystem.file_tree import MountedFileTree
from application.handling import StopReason
from application.ingestion.ingest import Completed, Interrupted
from application.ingestion.tally import Tally
from application.ports.errors import StoreUnavailable
from application.ports.file_tree import FoundBatch, OpenFile, RootUnreadable
from application.ports.image_renderer import Identified, ImageRenderer, Rendered, Unrenderable
from application.ports.proxy_store import ProxiesUnwritable
from domain.ids import StorageConfigId
from domain.media.asset import KnownAsset, MediaAsset
from domain.media.capture_date import CaptureDate, DateSource
from domain.media.content import MediaType
from domain.media.failure import FailureReason
from domain.media.file import FileSignature, RelativePath
from domain.media.metadata import Orientation
from domain.media.place import Place
from tests.support.crawling import Photos, no_renderer, some_photos
from tests.support.photos import REAL_PHOTOS, a_jpeg, a_renderer, exif, written

LATER = timedelta(hours=4)


@pytest.fixture
async def photos(tmp_path: Path) -> Photos:
    return await some_photos(tmp_path)


def counts(tally: Tally) -> dict[str, int]:
    """Every count that is not 0."""
    counted = {
        "found": tally.found,
        "added": tally.added,
        "replaced": tally.replaced,
        "unchanged": tally.unchanged,
        **{reason.value: count for reason, count in tally.failed_by_reason.items()},
    }
    assert tally.processed == tally.found
    return {name: count for name, count in counted.items() if count}


async def test_a_new_file_becomes_an_asset_with_all_that_it_says(photos: Photos) -> None:
    block = exif(
        {0x0112: 6, 0x010F: "Canon", 0x0110: "EOS 5D"},
        {0x9003: "2019:07:08 12:34:56", 0x9291: "5", 0x9011: "+02:00", 0xA434: "50mm"},
        {1: "N", 2: (48.0, 30.0, 0.0), 3: "E", 4: (2.0, 15.0, 0.0)},
    )
    photo = photos.put("2019/beach.jpg", a_jpeg((640, 480), exif=block))

    tally = await photos.completed()

    asset = await photos.known("2019/beach.jpg")
    assert counts(tally) == {"found": 1, "added": 1}
    assert asset.storage_config_id == photos.folder.config
    assert (asset.signature.size, asset.signature.mtime_ns) == (
        photo.stat().st_size,
        photo.stat().st_mtime_ns,
    )
    assert asset.media_type is MediaType.JPEG
    assert asset.captured == CaptureDate(
        date(2019, 7, 8), time(12, 34, 56, 500_000), timedelta(hours=2), DateSource.EXIF_ORIGINAL
    )
    assert (asset.metadata.width, asset.metadata.height) == (480, 640)
    assert asset.metadata.orientation is Orientation.ON_ITS_LEFT
    assert asset.metadata.place == Place(48.5, 2.25)
    assert (asset.metadata.camera_make, asset.metadata.camera_model) == ("Canon", "EOS 5D")
    assert asset.metadata.lens_model == "50mm"
    assert len(asset.blurhash) == 28
    assert [(proxy.kind.value, proxy.width, proxy.height) for proxy in asset.proxies] == [
        ("thumbnail", 225, 300),
        ("preview", 480, 640),
    ]
    assert asset.seen_at == photos.clock.now()


async def test_proxies_lie_where_the_rows_say(photos: Photos) -> None:
    photos.put("a.jpg")

    await photos.completed()

    asset = await photos.known("a.jpg")
    digits, config = asset.content.hexadecimal, photos.folder.config
    assert sorted(photos.proxy_files()) == sorted(proxy.path for proxy in asset.proxies)
    assert [proxy.path for proxy in asset.proxies] == [
        f"{digits[:2]}/{config}-{digits}/thumbnail.jpg",
        f"{digits[:2]}/{config}-{digits}/preview.jpg",
    ]
    assert [proxy.size for proxy in asset.proxies] == [
        (photos.proxies / proxy.path).stat().st_size for proxy in asset.proxies
    ]


async def test_a_second_run_converges_and_reads_no_file(photos: Photos) -> None:
    for name in ("a.jpg", "b/c.jpg", "b/d.jpg"):
        photos.put(name)
    await photos.completed()
    assets = [await photos.known(name) for name in ("a.jpg", "b/c.jpg", "b/d.jpg")]
    proxies = photos.proxy_files()
    photos.clock.advance(LATER)

    tally = await photos.completed(renderers=no_renderer)

    assert counts(tally) == {"found": 3, "unchanged": 3}
    assert photos.proxy_files() == proxies
    # All that a crawl leaves behind of having been there is the time it saw them.
    assert [await photos.known(name) for name in ("a.jpg", "b/c.jpg", "b/d.jpg")] == [
        replace(asset, seen_at=photos.clock.now()) for asset in assets
    ]


async def test_a_run_that_was_cut_off_is_completed_by_the_next(photos: Photos) -> None:
    for number in range(6):
        photos.put(f"{number}.jpg")

    def cut_off(tally: Tally) -> None:
        if tally.added == 2:
            crawl.cancel()

    crawl = asyncio.create_task(photos.crawl(report=cut_off))
    with pytest.raises(asyncio.CancelledError):
        await crawl
    tally = await photos.completed()

    assert tally.found == 6
    assert tally.unchanged >= 2
    assert tally.added + tally.unchanged == 6


async def test_changed_content_replaces_what_the_path_had_and_keeps_its_id(photos: Photos) -> None:
    photos.put("a.jpg", a_jpeg((64, 48)))
    await photos.completed()
    before = await photos.known("a.jpg")
    photos.put("a.jpg", a_jpeg((100, 50)))

    tally = await photos.completed()

    after = await photos.known("a.jpg")
    assert counts(tally) == {"found": 1, "replaced": 1}
    assert after.id == before.id
    assert after.content != before.content
    assert (after.metadata.width, after.metadata.height) == (100, 50)
    assert {proxy.path for proxy in after.proxies}.isdisjoint(proxy.path for proxy in before.proxies)


async def test_a_copied_library_is_hashed_but_not_decoded(photos: Photos) -> None:
    photo = photos.put("a.jpg")
    await photos.completed()
    before, proxies = await photos.known("a.jpg"), photos.proxy_files()
    # The same bytes in a new file, as a restored backup has them.
    content = photo.read_bytes()
    photo.unlink()
    photos.put("a.jpg", content)

    first = await photos.completed(renderers=a_hasher)
    second = await photos.completed(renderers=no_renderer)

    after = await photos.known("a.jpg")
    assert counts(first) == counts(second) == {"found": 1, "unchanged": 1}
    assert after == replace(before, signature=after.signature)
    assert after.signature != before.signature
    assert photos.proxy_files() == proxies


@asynccontextmanager
async def a_hasher() -> AsyncIterator["Hasher"]:
    async with a_renderer() as renderer:
        yield Hasher(renderer)


class Hasher:
    """Hashes, but does not decode: a file to be decoded counts as failed."""

    def __init__(self, renderer: ImageRenderer) -> None:
        self._renderer = renderer

    async def identify(self, file: OpenFile) -> Identified | Unrenderable:
        return await self._renderer.identify(file)

    async def render(self, file: OpenFile, media_type: MediaType) -> Rendered | Unrenderable:
        raise AssertionError(f"{file} was to be decoded as {media_type}")


async def test_verify_reads_every_file_again(photos: Photos) -> None:
    photos.put("a.jpg")
    await photos.completed()

    assert counts(await photos.completed(verify=True)) == {"found": 1, "unchanged": 1}
    assert counts(await photos.completed(verify=True, renderers=no_renderer)) == {"found": 1, "internal": 1}


async def test_verify_finds_content_that_changed_behind_an_unchanged_signature(photos: Photos) -> None:
    photos.put("a.jpg")
    await photos.completed()
    tree = ForgetfulTree((await photos.known("a.jpg")).signature)
    photos.put("a.jpg", a_jpeg((100, 50)))

    assert counts(await photos.completed(tree=tree)) == {"found": 1, "unchanged": 1}
    assert counts(await photos.completed(tree=tree, verify=True)) == {"found": 1, "replaced": 1}


class ForgetfulTree(MountedFileTree):
    """A file system that shows every file with this signature."""

    def __init__(self, signature: FileSignature) -> None:
        self._signature = signature

    async def walk(self, root: str) -> AsyncIterator[FoundBatch]:
        async for batch in super().walk(root):
            yield replace(
                batch, files=tuple(replace(file, signature=self._signature) for file in batch.files)
            )


async def test_copies_are_assets_of_their_own_that_share_proxies(photos: Photos) -> None:
    content = a_jpeg()
    photos.put("a.jpg", content)
    photos.put("copy/a.jpg", content)

    tally = await photos.completed()

    original, copy = await photos.known("a.jpg"), await photos.known("copy/a.jpg")
    assert counts(tally) == {"found": 2, "added": 2}
    assert original.id != copy.id
    assert original.proxies == copy.proxies
    assert len(photos.proxy_files()) == 2


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
        "found": 9,
        "added": 1,
        "truncated": 2,
        "damaged": 2,
        "too-many-pixels": 1,
        "empty": 1,
        "unsupported": 2,
    }
    assert tally.passed_over == 2
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
        await photos.crawl(library=LibraryThatIsAway())


class LibraryThatIsAway:
    async def known(
        self, _config: StorageConfigId, _paths: Sequence[RelativePath]
    ) -> Mapping[RelativePath, KnownAsset]:
        return {}

    async def store(self, _asset: MediaAsset) -> None:
        raise StoreUnavailable


async def test_a_stop_is_heeded_before_the_next_file(photos: Photos) -> None:
    for number in range(20):
        photos.put(f"{number:02}.jpg")

    def stop_after_three(tally: Tally) -> None:
        if tally.added == 3:
            photos.stop.request(StopReason.CANCEL_REQUESTED)

    outcome = await photos.crawl(report=stop_after_three, max_concurrent_files=1)

    assert isinstance(outcome, Interrupted)
    assert (outcome.tally.found, outcome.tally.processed, outcome.tally.added) == (20, 3, 3)


async def test_a_stop_after_the_last_file_is_no_interruption(photos: Photos) -> None:
    photos.put("a.jpg")

    def stop_at_the_end(tally: Tally) -> None:
        if tally.added == 1:
            photos.stop.request(StopReason.CANCEL_REQUESTED)

    outcome = await photos.crawl(report=stop_at_the_end)

    assert isinstance(outcome, Completed)


async def test_a_stop_before_the_first_file_leaves_all_of_them(photos: Photos) -> None:
    photos.put("a.jpg")
    photos.stop.request(StopReason.SHUTTING_DOWN)

    outcome = await photos.crawl(renderers=no_renderer)

    assert isinstance(outcome, Interrupted)
    assert outcome.tally.processed == 0


async def test_every_outcome_is_told_as_it_comes(photos: Photos) -> None:
    for number in range(3):
        photos.put(f"{number}.jpg")
    photos.put("broken.jpg", b"\xff\xd8\xffnothing")
    told: list[tuple[int, int, int, bool]] = []

    await photos.crawl(
        report=lambda tally: told.append((tally.processed, tally.found, tally.failed, tally.walk_is_over))
    )

    assert told[0] == (0, 4, 0, False)
    assert told[-1] == (4, 4, 1, True)
    assert sorted(told) == told


async def test_no_more_files_are_read_at_once_than_allowed(photos: Photos) -> None:
    for number in range(12):
        photos.put(f"{number}.jpg")
    counting = CountingRenderer()

    await photos.completed(renderers=lambda: nullcontext(counting), max_concurrent_files=3)

    assert counting.most == 3


class CountingRenderer:
    """Says no to everything, to three files at a time, and counts how many ask at once."""

    def __init__(self) -> None:
        self._three = asyncio.Barrier(3)
        self._now = 0
        self.most = 0

    async def identify(self, file: OpenFile) -> Identified | Unrenderable:
        self._now += 1
        self.most = max(self.most, self._now)
        assert file.signature.size > 0
        await self._three.wait()
        self._now -= 1
        return Unrenderable(FailureReason.DAMAGED)

    async def render(self, file: OpenFile, media_type: MediaType) -> Rendered | Unrenderable:
        raise AssertionError(f"{file} was to be decoded as {media_type}")


async def test_originals_are_not_touched(photos: Photos) -> None:
    photo = photos.put("a.jpg")
    photo.chmod(0o400)
    before, content = photo.stat(), photo.read_bytes()

    await photos.completed()

    after = photo.stat()
    assert photo.read_bytes() == content
    assert (after.st_mtime_ns, after.st_ctime_ns, after.st_mode) == (
        before.st_mtime_ns,
        before.st_ctime_ns,
        before.st_mode,
    )
    assert [path.name for path in photos.root.iterdir()] == ["a.jpg"]
