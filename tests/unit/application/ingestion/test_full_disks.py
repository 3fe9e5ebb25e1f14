"""A proxies folder that takes no more: the crawl ends with one error, no file is blamed, and room heals it."""

import asyncio
import errno
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from adapters.filesystem.proxy_store import FolderProxyStore
from application.ports.proxy_store import ProxiesUnwritable
from domain.media.proxy import ProxyImage
from tests.support.crawling import Photos, counts, some_photos
from tests.support.photos import encoded

FILES = 30


def a_noisy_jpeg(number: int) -> bytes:
    """One whose proxies take about 100 KB."""
    noise = Image.frombytes("RGB", (400, 300), bytes((number + 7 * at * at) % 251 for at in range(360_000)))
    return encoded(noise, "JPEG", quality=90)


class Threads(ThreadPoolExecutor):
    """Those of a crawl. It waits for none of them when it fails, so a file may still be half for a moment then."""

    def __init__(self) -> None:
        super().__init__()
        self._given: list[Future[Any]] = []

    def submit(self, *given: Any, **named: Any) -> Future[Any]:  # noqa: ANN401 -- whatever is to be done
        self._given.append(super().submit(*given, **named))
        return self._given[-1]

    def finish(self) -> None:
        """Wait until all of them have done what they were given."""
        wait(self._given)


@pytest.fixture
async def threads() -> Threads:
    threads = Threads()
    asyncio.get_running_loop().set_default_executor(threads)
    return threads


@pytest.fixture
async def photos(tmp_path: Path, threads: Threads) -> Photos:  # noqa: ARG001 -- they are those of the crawls
    photos = await some_photos(tmp_path)
    for number in range(FILES):
        photos.put(f"{number:02}.jpg", a_noisy_jpeg(number))
    return photos


class SmallStore(FolderProxyStore):
    """A disk that is full after so many shards, in the middle of a file."""

    def __init__(self, root: Path, room: int) -> None:
        super().__init__(root)
        self.room = room

    def _write_all(self, folder: str, images: Sequence[ProxyImage]) -> None:
        self.room -= 1
        if self.room < 0:
            super()._write_all(folder, images[:1])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/secret/name")
        super()._write_all(folder, images)


async def nothing_is_half(photos: Photos, threads: Threads) -> int:
    """Assert that no proxy is cut off, no row without its proxies and no file blamed; tell how many rows there are."""
    threads.finish()
    for path in photos.proxies.rglob("*"):
        if path.is_file():
            assert path.suffix == ".jpg"
            with Image.open(path) as picture:
                picture.load()
    assets = [asset for number in range(FILES) if (asset := await photos.asset(f"{number:02}.jpg"))]
    assert all([await photos.surroundings.proxies.holds(asset.proxies) for asset in assets])
    assert await photos.failed() == {}
    return len(assets)


async def test_a_disk_that_fills_up_ends_the_crawl_and_room_heals_it(
    photos: Photos, threads: Threads
) -> None:
    store = SmallStore(photos.proxies, room=10)

    with pytest.raises(ProxiesUnwritable) as failure:
        await photos.crawl(proxies=store)

    assert str(failure.value) == "No space left on device"
    assert await nothing_is_half(photos, threads) <= 10

    store.room = 1_000
    assert (await photos.completed(proxies=store)).failed == 0
    assert await nothing_is_half(photos, threads) == FILES


@dataclass(frozen=True, slots=True)
class SmallDisk:
    """A proxies folder that is soon full, and how to make room there."""

    store: FolderProxyStore
    make_room: Callable[[], object]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """On a file system of 400 KB. Only root may mount one; whoever else runs this gets the disk above instead."""
    folder = tmp_path / "proxies"
    folder.mkdir()
    if os.geteuid() == 0 and told("mount", "-t", "tmpfs", "-o", "size=400k", "anichron-test", folder):
        yield SmallDisk(FolderProxyStore(folder), lambda: told("mount", "-o", "remount,size=50m", folder))
        assert told("umount", folder)
    else:
        store = SmallStore(folder, room=10)
        yield SmallDisk(store, lambda: setattr(store, "room", 1_000))


def told(*command: str | Path) -> bool:
    """Whether the system did as it was told."""
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


async def test_a_real_disk_that_fills_up_does_the_same(
    small_disk: SmallDisk, photos: Photos, threads: Threads
) -> None:
    with pytest.raises(ProxiesUnwritable):
        await photos.crawl(proxies=small_disk.store)
    assert await nothing_is_half(photos, threads) < FILES

    small_disk.make_room()
    assert counts(await photos.completed(proxies=small_disk.store))["found"] == FILES
    assert await nothing_is_half(photos, threads) == FILES
    assert counts(await photos.completed(proxies=small_disk.store)) == {"found": FILES, "unchanged": FILES}
