"""The proxies folder as whoever tidies up meets it, with everything in it that does not belong there."""

import asyncio
import os
import socket
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from adapters.filesystem.proxy_folder import MountedProxyFolder
from adapters.filesystem.proxy_store import FolderProxyStore
from application.ports.proxy_folder import FolderPart, ProxiesUnreadable
from domain.ids import StorageConfigId
from domain.media.content import ContentHash
from domain.media.proxy import ProxyImage, ProxyKind, shard
from tests.support.builders import ids
from tests.support.clock import START, settled
from tests.support.photos import without_rights, written
from tests.support.proxy_files import (
    CONFIG,
    HOUR,
    LEFTOVER,
    OTHER_PREVIEW,
    OTHER_SHARD,
    PREVIEW,
    SHARD,
    THUMBNAIL,
    a_file,
    named,
    right_before,
)


async def walked(root: Path) -> FolderPart:
    """Everything in the folder as one part."""
    parts = [part async for part in MountedProxyFolder(root).walk()]
    return FolderPart(
        tuple(seen for part in parts for seen in part.proxies), sum(part.foreign for part in parts)
    )


async def seen_in(root: Path) -> dict[str, tuple[int, datetime]]:
    return {seen.path.text: (seen.size, seen.modified_at) for seen in (await walked(root)).proxies}


def open_below(root: Path) -> set[str]:
    """What this process holds open there."""
    opened = [link.readlink() for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return {str(path.relative_to(root)).removeprefix(".") for path in opened if path.is_relative_to(root)}


def moved_away(root: Path, path: str, elsewhere: Path) -> None:
    """A folder below the root goes elsewhere, and a link to it takes its place."""
    (root / path).rename(elsewhere)
    (root / path).symlink_to(elsewhere)


class TestWalk:
    async def test_proxies_and_leftovers_are_told_with_their_size_and_time(self, tmp_path: Path) -> None:
        a_file(tmp_path, PREVIEW, size=700, age=timedelta(hours=3, microseconds=1))
        a_file(tmp_path, LEFTOVER, size=0, age=-HOUR)

        found = await walked(tmp_path)

        assert found.foreign == 0
        assert {seen.path: (seen.size, seen.modified_at) for seen in found.proxies} == {
            named(PREVIEW): (700, START - timedelta(hours=3, microseconds=1)),
            named(LEFTOVER): (0, START + HOUR),
        }

    async def test_what_a_crawl_writes_is_what_is_met(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = shard(StorageConfigId(ids.next()), ContentHash(b"\x0a" * 32))
        half_way: list[bool] = []
        real = os.fsync

        def looked(descriptor: int) -> None:
            path = Path(f"/proc/self/fd/{descriptor}").readlink()
            if path.suffix == ".tmp":
                half_way.append(named(str(path.relative_to(tmp_path))).is_leftover)
            real(descriptor)

        monkeypatch.setattr(os, "fsync", looked)
        images = [ProxyImage(kind, 1, 1, b"content") for kind in ProxyKind]
        stored = await FolderProxyStore(tmp_path).write(folder, images)

        assert half_way == [True, True]
        assert set(await seen_in(tmp_path)) == {file.path for file in stored}

    async def test_whatever_is_no_proxy_is_counted_and_not_told(self, tmp_path: Path) -> None:
        a_file(tmp_path, PREVIEW)
        a_file(tmp_path, "README.txt")
        a_file(tmp_path, "ab/holiday.jpg")
        a_file(tmp_path, f"{SHARD}/notes of mine.txt")
        a_file(tmp_path, f"cd/{CONFIG}-ab{'0' * 62}/preview.jpg")
        (tmp_path / SHARD / os.fsdecode(b"pr\xe9view.jpg")).touch()

        found = await walked(tmp_path)

        assert [seen.path.text for seen in found.proxies] == [PREVIEW]
        assert found.foreign == 5

    async def test_whatever_is_no_regular_file_is_counted_and_not_told(self, tmp_path: Path) -> None:
        outside = a_file(tmp_path, "outside/a.jpg")
        root = tmp_path / "proxies"
        a_file(root, PREVIEW)
        (root / SHARD / "link.jpg").symlink_to(outside)
        (root / SHARD / "dangling.jpg").symlink_to("nowhere")
        (root / SHARD / "folder.jpg").mkdir()
        os.mkfifo(root / SHARD / "fifo.jpg")
        with socket.socket(socket.AF_UNIX) as listener:
            # The name of a socket may have a hundred bytes only.
            folder = os.open(root / SHARD, os.O_RDONLY)
            listener.bind(f"/proc/self/fd/{folder}/socket.jpg")
            os.close(folder)
            found = await walked(root)

        assert [seen.path.text for seen in found.proxies] == [PREVIEW]
        assert found.foreign == 5

    async def test_links_in_the_place_of_folders_are_not_followed(self, tmp_path: Path) -> None:
        root = tmp_path / "proxies"
        a_file(root, PREVIEW)
        a_file(tmp_path, f"outside/{SHARD}/preview.jpg")
        (root / "cd").symlink_to(tmp_path / "outside/ab")
        (root / OTHER_SHARD).symlink_to(tmp_path / "outside" / SHARD)

        found = await walked(root)

        assert [seen.path.text for seen in found.proxies] == [PREVIEW]
        assert found.foreign == 2

    @pytest.mark.parametrize("path", ["ab", SHARD])
    async def test_a_link_that_takes_the_place_of_a_folder_that_was_met_is_not_followed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
    ) -> None:
        root = tmp_path / "proxies"
        a_file(root, PREVIEW)
        right_before(
            monkeypatch, "open", Path(path).name, lambda: moved_away(root, path, tmp_path / "outside")
        )

        assert await walked(root) == FolderPart((), 0)

    async def test_a_folder_or_file_that_goes_while_it_is_listed_was_never_met(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        a_file(tmp_path, PREVIEW)
        a_file(tmp_path, THUMBNAIL)
        (tmp_path / OTHER_SHARD).mkdir()
        right_before(monkeypatch, "open", Path(OTHER_SHARD).name, (tmp_path / OTHER_SHARD).rmdir)
        right_before(monkeypatch, "stat", "preview.jpg", (tmp_path / PREVIEW).unlink)

        assert list(await seen_in(tmp_path)) == [THUMBNAIL]

    async def test_folders_that_cannot_lead_to_proxies_are_not_entered(self) -> None:
        with without_rights() as root:
            a_file(root, PREVIEW)
            a_file(root, f"lost+found/{SHARD}/preview.jpg")
            (root / "lost+found").chmod(0)

            found = await walked(root)

        assert [seen.path.text for seen in found.proxies] == [PREVIEW]
        assert found.foreign == 1

    @pytest.mark.parametrize("path", ["", "ab", SHARD])
    async def test_a_folder_that_cannot_be_listed_makes_the_whole_list_worthless(self, path: str) -> None:
        with without_rights() as root:
            a_file(root, PREVIEW)
            (root / path).chmod(0)
            try:
                with pytest.raises(ProxiesUnreadable) as failure:
                    await walked(root)
            finally:
                (root / path).chmod(0o700)

        assert str(failure.value) == "Permission denied"

    async def test_a_root_that_is_not_there_is_empty(self, tmp_path: Path) -> None:
        assert await walked(tmp_path / "nowhere") == FolderPart((), 0)

    async def test_a_root_that_is_no_folder_is_unreadable(self, tmp_path: Path) -> None:
        with pytest.raises(ProxiesUnreadable) as failure:
            await walked(written(tmp_path / "marker", b""))

        assert str(failure.value) == "Not a directory"

    async def test_a_root_may_be_a_link_itself(self, tmp_path: Path) -> None:
        a_file(tmp_path, f"disk/{PREVIEW}")
        (tmp_path / "proxies").symlink_to("disk")

        assert list(await seen_in(tmp_path / "proxies")) == [PREVIEW]

    async def test_a_folder_with_many_files_comes_in_parts(self, tmp_path: Path) -> None:
        (tmp_path / SHARD).mkdir(parents=True)
        for number in range(1_500):
            (tmp_path / SHARD / f"{number:04}.jpg").touch()
            (tmp_path / f"{number}.txt").touch()

        parts = [part async for part in MountedProxyFolder(tmp_path).walk()]

        assert [len(part.proxies) + part.foreign for part in parts] == [1_000, 1_000, 1_000, 0]
        names = [seen.path.text for part in parts for seen in part.proxies]
        assert names == [f"{SHARD}/{number:04}.jpg" for number in range(1_500)]

    async def test_a_walk_that_nobody_follows_to_its_end_leaves_nothing_open(self, tmp_path: Path) -> None:
        (tmp_path / SHARD).mkdir(parents=True)
        for number in range(1_001):
            (tmp_path / SHARD / f"{number:04}.jpg").touch()

        parts = MountedProxyFolder(tmp_path).walk()
        assert len((await anext(parts)).proxies) == 1_000
        assert open_below(tmp_path) == {"", "ab", SHARD}
        del parts

        async with asyncio.timeout(5):
            while open_below(tmp_path):
                await settled()

    async def test_times_that_no_calendar_has_are_never_long_ago(self, tmp_path: Path) -> None:
        os.utime(a_file(tmp_path, PREVIEW), ns=(0, -(2**63)))
        os.utime(a_file(tmp_path, THUMBNAIL), ns=(0, 2**63 - 1))

        seen = await seen_in(tmp_path)

        assert [modified_at.year >= 1_600 for _, modified_at in seen.values()] == [True, True]


class TestAbsent:
    async def test_only_regular_files_are_there(self, tmp_path: Path) -> None:
        outside = a_file(tmp_path, "outside/preview.jpg")
        root = tmp_path / "proxies"
        a_file(root, PREVIEW)
        (root / THUMBNAIL).symlink_to(outside)
        (root / OTHER_SHARD).symlink_to(outside.parent)
        (root / SHARD / "folder.jpg").mkdir()
        odd = ["", "..", "../outside/preview.jpg", f"/{PREVIEW}", f"{PREVIEW}/x", "x" * 300, "cd/none.jpg"]
        absent = [THUMBNAIL, OTHER_PREVIEW, f"{SHARD}/folder.jpg", *odd]

        assert await MountedProxyFolder(root).absent([PREVIEW, *absent]) == frozenset(absent)

    async def test_without_a_root_nothing_can_be_told(self, tmp_path: Path) -> None:
        with pytest.raises(ProxiesUnreadable) as failure:
            await MountedProxyFolder(tmp_path / "marker").absent([PREVIEW])

        assert str(failure.value) == "No such file or directory"

    async def test_what_cannot_be_looked_at_is_not_absent(self) -> None:
        with without_rights() as root:
            a_file(root, PREVIEW)
            (root / SHARD).chmod(0)

            with pytest.raises(ProxiesUnreadable) as failure:
                await MountedProxyFolder(root).absent([PREVIEW])

            (root / SHARD).chmod(0o700)
        assert str(failure.value) == "Permission denied"
