"""What a crawl does to a folder's rows and proxies, with real files and real children."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, time, timedelta
from pathlib import Path

import pytest

from adapters.filesystem.file_tree import MountedFileTree
from application.ports.file_tree import FoundBatch
from domain.media.capture_date import CaptureDate, DateSource
from domain.media.content import MediaType
from domain.media.file import FileSignature
from domain.media.metadata import Orientation
from domain.media.place import Place
from tests.support.crawling import Photos, a_hasher, counts, no_renderer, some_photos
from tests.support.photos import a_jpeg, exif
from tests.support.videos import a_video

LATER = timedelta(hours=4)


@pytest.fixture
async def photos(tmp_path: Path) -> Photos:
    return await some_photos(tmp_path)


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
    assert [await photos.known(name) for name in ("a.jpg", "b/c.jpg", "b/d.jpg")] == assets


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


async def test_verify_makes_the_posters_that_nothing_could_make_before(
    photos: Photos, monkeypatch: pytest.MonkeyPatch
) -> None:
    photos.put("a.mov", a_video())
    with monkeypatch.context() as patched:
        patched.setattr("adapters.media.child.PROGRAM", "tests.support.child_without_pyav")
        await photos.completed()
    assert (await photos.known("a.mov")).proxies == ()

    unasked = await photos.completed()
    asked = await photos.completed(verify=True)

    assert counts(unasked) == {"found": 1, "unchanged": 1}
    assert counts(asked) == {"found": 1, "replaced": 1}
    assert [proxy.kind for proxy in (await photos.known("a.mov")).proxies] == ["thumbnail", "preview"]


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
        super().__init__()
        self._signature = signature

    async def walk(self, root: str) -> AsyncIterator[FoundBatch]:
        async for batch in super().walk(root):
            yield replace(
                batch, files=tuple(file._replace(signature=self._signature) for file in batch.files)
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
