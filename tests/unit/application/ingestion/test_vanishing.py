"""What a crawl makes of files that are gone: seldom that they were deleted."""

import shutil
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.filesystem.file_tree import MountedFileTree
from application.handling import StopReason
from application.ingestion.ingest import Interrupted
from application.ingestion.settlement import RemovalsRefused, RootEmpty
from application.ingestion.tally import Tally
from application.ports.file_tree import FoundBatch, RootUnreadable
from domain.media.file import RelativePath
from tests.support.crawling import Photos, counts, no_renderer, some_photos
from tests.support.photos import a_jpeg


@pytest.fixture
async def photos(tmp_path: Path) -> Photos:
    return await some_photos(tmp_path)


async def with_files(photos: Photos, number: int, folder: str = "kept") -> list[str]:
    """So many files in the folder, all of them taken in."""
    names = [f"{folder}/{one:03}.jpg" for one in range(number)]
    for name in names:
        photos.put(name)
    await photos.completed()
    return names


async def gone(photos: Photos, names: list[str]) -> list[str]:
    return [name for name in names if (await photos.known(name)).is_gone]


async def test_a_file_that_is_gone_is_missing_once_and_its_asset_stays(photos: Photos) -> None:
    names = await with_files(photos, 3)
    before, proxies = await photos.known(names[1]), photos.proxy_files()
    (photos.root / names[1]).unlink()

    first = await photos.completed(renderers=no_renderer)
    second = await photos.completed(renderers=no_renderer)

    assert counts(first) == {"found": 2, "unchanged": 2, "missing": 1}
    assert counts(second) == {"found": 2, "unchanged": 2}
    assert await photos.known(names[1]) == replace(before, is_gone=True)
    assert photos.proxy_files() == proxies


async def test_a_file_that_comes_back_has_the_id_that_it_had(photos: Photos, tmp_path: Path) -> None:
    names = await with_files(photos, 3)
    before = await photos.known(names[0])
    (photos.root / names[0]).rename(tmp_path / "away.jpg")
    await photos.completed()

    (tmp_path / "away.jpg").rename(photos.root / names[0])
    tally = await photos.completed()

    after = await photos.known(names[0])
    assert counts(tally) == {"found": 3, "unchanged": 2, "returned": 1}
    assert after == replace(before, signature=after.signature)
    assert counts(await photos.completed(renderers=no_renderer)) == {"found": 3, "unchanged": 3}


async def test_a_folder_that_is_mounted_again_comes_back_without_reading_a_file(photos: Photos) -> None:
    names = await with_files(photos, 3)
    hidden = OtherTree(lambda path: path.startswith(b"kept/002"))
    assert counts(await photos.completed(tree=hidden)) == {"found": 2, "unchanged": 2, "missing": 1}

    tally = await photos.completed(renderers=no_renderer)

    assert counts(tally) == {"found": 3, "unchanged": 2, "returned": 1}
    assert await gone(photos, names) == []


async def test_new_content_where_a_file_is_gone_gets_the_id_too(photos: Photos) -> None:
    names = await with_files(photos, 2)
    before = await photos.known(names[0])
    (photos.root / names[0]).unlink()
    await photos.completed()

    photos.put(names[0], a_jpeg((100, 50)))
    tally = await photos.completed()

    after = await photos.known(names[0])
    assert counts(tally) == {"found": 2, "unchanged": 1, "replaced": 1}
    assert (after.id, after.is_gone, after.metadata.width) == (before.id, False, 100)


class OtherTree(MountedFileTree):
    """A file system in which some of the files cannot be seen."""

    def __init__(self, hides: Callable[[bytes], bool]) -> None:
        super().__init__()
        self._hides = hides

    async def walk(self, root: str) -> AsyncIterator[FoundBatch]:
        async for batch in super().walk(root):
            yield replace(batch, files=tuple(file for file in batch.files if not self._hides(file.path)))

    async def gone(self, root: str, paths: Collection[RelativePath]) -> frozenset[RelativePath]:
        assert root
        return frozenset(paths)


async def test_what_a_walk_missed_is_not_gone_while_it_is_there(photos: Photos) -> None:
    names = await with_files(photos, 3)

    class Hasty(MountedFileTree):
        async def walk(self, root: str) -> AsyncIterator[FoundBatch]:
            async for batch in super().walk(root):
                yield replace(batch, files=batch.files[1:])

    tally = await photos.completed(tree=Hasty())

    assert counts(tally) == {"found": 2, "unchanged": 2}
    assert await gone(photos, names) == []


async def test_nothing_below_a_folder_that_cannot_be_listed_is_gone(photos: Photos) -> None:
    names = await with_files(photos, 3, "a/barred")
    others = await with_files(photos, 3, "a/barred-not")
    shutil.rmtree(photos.root / "a/barred")
    (photos.root / others[0]).unlink()

    class Barred(MountedFileTree):
        async def walk(self, root: str) -> AsyncIterator[FoundBatch]:
            async for batch in super().walk(root):
                yield replace(batch, barred=(RelativePath(b"a/barred/"),))

    tally = await photos.completed(tree=Barred())

    assert counts(tally) == {"found": 3, "unchanged": 2, "unreadable-folder": 1, "missing": 1}
    assert await gone(photos, names) == []
    assert await gone(photos, others) == [others[0]]


@pytest.mark.parametrize(("live", "lost"), [(100, 20), (300, 30)])
async def test_twenty_files_or_a_tenth_may_go(photos: Photos, live: int, lost: int) -> None:
    names = await with_files(photos, live)
    for name in names[:lost]:
        (photos.root / name).unlink()

    tally = await photos.completed()

    assert counts(tally) == {"found": live - lost, "unchanged": live - lost, "missing": lost}
    assert await gone(photos, names) == names[:lost]


@pytest.mark.parametrize(("live", "lost"), [(100, 21), (300, 31)])
async def test_if_more_go_none_is_touched_until_somebody_says_so(
    photos: Photos, live: int, lost: int
) -> None:
    names = await with_files(photos, live)
    for name in names[:lost]:
        (photos.root / name).unlink()
    photos.put("new.jpg")

    with pytest.raises(RemovalsRefused) as refusal:
        await photos.crawl()

    assert (refusal.value.missing, refusal.value.live) == (lost, live)
    assert not isinstance(refusal.value, RootEmpty)
    assert await gone(photos, names) == []
    assert not (await photos.known("new.jpg")).is_gone

    tally = await photos.completed(accept_removals=True)

    assert tally.missing == lost
    assert await gone(photos, names) == names[:lost]


async def test_a_root_that_is_empty_now_fails_the_crawl_however_little_it_had(photos: Photos) -> None:
    names = await with_files(photos, 2)
    shutil.rmtree(photos.root / "kept")
    (photos.root / "notes.txt").write_text("not a photo")

    with pytest.raises(RootEmpty):
        await photos.crawl()
    assert await gone(photos, names) == []

    assert counts(await photos.completed(accept_removals=True)) == {"missing": 2}
    assert await gone(photos, names) == names
    assert counts(await photos.completed()) == {}


async def test_a_root_that_never_had_anything_is_just_empty(photos: Photos) -> None:
    assert counts(await photos.completed()) == {}


@pytest.mark.parametrize("leaves_another", [False, True])
async def test_a_root_that_vanishes_in_mid_crawl_takes_nothing_along(
    photos: Photos, tmp_path: Path, *, leaves_another: bool
) -> None:
    names = await with_files(photos, 3)
    photos.put("kept/new.jpg")

    class Unmounted(MountedFileTree):
        async def walk(self, root: str) -> AsyncIterator[FoundBatch]:
            async for batch in super().walk(root):
                photos.root.rename(tmp_path / "unmounted")
                if leaves_another:
                    photos.root.mkdir()
                yield batch

    with pytest.raises(RootUnreadable):
        await photos.crawl(tree=Unmounted())

    assert await gone(photos, names) == []
    assert await photos.asset("kept/new.jpg") is None
    assert await photos.failed() == {}


@pytest.mark.parametrize("leaves_another", [False, True])
async def test_a_root_that_vanishes_while_it_is_walked_takes_nothing_along(
    photos: Photos, tmp_path: Path, *, leaves_another: bool
) -> None:
    names = await with_files(photos, 3)

    class Unmounted(MountedFileTree):
        async def walk(self, root: str) -> AsyncIterator[FoundBatch]:
            photos.root.rename(tmp_path / "unmounted")
            if leaves_another:
                photos.root.mkdir()
                photos.put("other.jpg")
            async for batch in super().walk(root):
                yield batch

    with pytest.raises(RootUnreadable):
        await photos.crawl(tree=Unmounted())

    assert await gone(photos, names) == []


async def test_a_crawl_that_was_stopped_decides_nothing(photos: Photos) -> None:
    names = await with_files(photos, 3)
    (photos.root / names[0]).unlink()
    photos.put("new-1.jpg")
    photos.put("new-2.jpg")

    def stop_after_one(tally: Tally) -> None:
        if tally.added:
            photos.stop.request(StopReason.CANCEL_REQUESTED)

    outcome = await photos.crawl(report=stop_after_one, max_concurrent_files=1)

    assert isinstance(outcome, Interrupted)
    assert outcome.tally.missing == 0
    assert await gone(photos, names) == []
