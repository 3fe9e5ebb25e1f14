"""Files that go, and everything that keeps them, or keeps what is outside from going with them."""

import errno
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.filesystem.proxy_folder import MountedProxyFolder
from adapters.filesystem.proxy_store import FolderProxyStore
from application.ports.proxy_folder import FileDeleted, FileFate, FileGone, FileStuck, KeptBecause
from domain.media.proxy import ProxyImage, ProxyKind
from tests.support.clock import START
from tests.support.photos import without_rights
from tests.support.proxy_files import (
    HOUR,
    OTHER_PREVIEW,
    OTHER_SHARD,
    PREVIEW,
    SHARD,
    THUMBNAIL,
    a_file,
    files_below,
    named,
    refusing,
    right_before,
)


async def deleted(root: Path, *paths: str, before: datetime = START - HOUR) -> tuple[FileFate, ...]:
    return await MountedProxyFolder(root).delete([named(path) for path in paths], before=before)


async def test_exactly_the_named_files_go_and_folders_that_they_leave_empty(tmp_path: Path) -> None:
    for path in (PREVIEW, THUMBNAIL, OTHER_PREVIEW):
        a_file(tmp_path, path, size=9)

    assert await deleted(tmp_path, PREVIEW, OTHER_PREVIEW) == (FileDeleted(9), FileDeleted(9))

    assert files_below(tmp_path) == {THUMBNAIL}
    assert not (tmp_path / OTHER_SHARD).exists()


async def test_what_is_gone_is_gone_and_an_empty_folder_goes_after_it(tmp_path: Path) -> None:
    (tmp_path / SHARD).mkdir(parents=True)

    assert await deleted(tmp_path, PREVIEW, OTHER_PREVIEW) == (FileGone(), FileGone())

    assert not (tmp_path / SHARD).exists()
    assert (tmp_path / "ab").exists()


async def test_a_file_that_was_written_since_is_kept(tmp_path: Path) -> None:
    a_file(tmp_path, PREVIEW, age=HOUR)
    a_file(tmp_path, THUMBNAIL, age=HOUR + timedelta(microseconds=1))

    assert await deleted(tmp_path, PREVIEW, THUMBNAIL) == (KeptBecause.TOO_YOUNG, FileDeleted(7))
    assert files_below(tmp_path) == {PREVIEW}


async def test_a_file_with_two_names_loses_the_one(tmp_path: Path) -> None:
    (tmp_path / "outside.jpg").hardlink_to(a_file(tmp_path / "proxies", PREVIEW))

    assert await deleted(tmp_path / "proxies", PREVIEW) == (FileDeleted(7),)
    assert (tmp_path / "outside.jpg").read_bytes() == b"x" * 7


@pytest.mark.parametrize("path", ["ab", SHARD, PREVIEW])
@pytest.mark.parametrize("to", ["file", "folder", "nothing"])
async def test_no_planted_link_leads_outside(tmp_path: Path, path: str, to: str) -> None:
    outside = tmp_path / "outside"
    for below in ("preview.jpg", f"{Path(SHARD).name}/preview.jpg", "file"):
        a_file(outside, below)
    before = files_below(outside)
    root = tmp_path / "proxies"
    (root / path).parent.mkdir(parents=True)
    (root / path).symlink_to({"file": outside / "file", "folder": outside, "nothing": outside / "no"}[to])

    assert await deleted(root, PREVIEW) == (KeptBecause.NOT_A_FILE,)

    assert files_below(outside) == before
    assert (root / path).is_symlink()


@pytest.mark.parametrize("name", ["ab", Path(SHARD).name])
@pytest.mark.parametrize("path", ["ab", SHARD])
async def test_no_link_that_is_planted_meanwhile_leads_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, path: str
) -> None:
    root, outside = tmp_path / "proxies", tmp_path / "outside"
    a_file(root, PREVIEW)
    a_file(outside, f"{Path(SHARD).name}/preview.jpg")
    a_file(outside, "preview.jpg")

    def planted() -> None:
        (root / path).rename(root / "cd")
        (root / path).symlink_to(outside)

    right_before(monkeypatch, "open", name, planted)

    # Whoever holds a folder open goes on in it, whatever its name has come to be.
    goes_on = (name, path) == (Path(SHARD).name, "ab")
    assert await deleted(root, PREVIEW) == ((FileDeleted(7) if goes_on else KeptBecause.NOT_A_FILE),)
    assert files_below(outside) == {f"{Path(SHARD).name}/preview.jpg", "preview.jpg"}


async def test_a_link_in_the_place_of_a_file_that_was_looked_at_goes_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, outside = tmp_path / "proxies", a_file(tmp_path, "outside.jpg")
    a_file(root, PREVIEW)

    def planted() -> None:
        (root / PREVIEW).unlink()
        (root / PREVIEW).symlink_to(outside)

    right_before(monkeypatch, "unlink", "preview.jpg", planted)
    await deleted(root, PREVIEW)

    assert outside.read_bytes() == b"x" * 7


async def test_folders_and_pipes_in_the_place_of_files_are_kept(tmp_path: Path) -> None:
    (tmp_path / PREVIEW).mkdir(parents=True)
    os.mkfifo(tmp_path / THUMBNAIL)

    assert await deleted(tmp_path, PREVIEW, THUMBNAIL) == (KeptBecause.NOT_A_FILE,) * 2
    assert (tmp_path / PREVIEW).is_dir()
    assert files_below(tmp_path) == {THUMBNAIL}


async def test_a_read_only_folder_keeps_its_files_and_none_of_the_others() -> None:
    with without_rights() as root:
        a_file(root, PREVIEW)
        a_file(root, OTHER_PREVIEW)
        (root / SHARD).chmod(0o500)

        fates = await deleted(root, PREVIEW, OTHER_PREVIEW)

        assert files_below(root) == {PREVIEW}
    assert fates == (FileStuck("Permission denied"), FileDeleted(7))


@pytest.mark.parametrize("number", [errno.EROFS, errno.EIO, errno.ESTALE])
@pytest.mark.parametrize("call", ["open", "stat", "unlink"])
async def test_whatever_the_disk_refuses_is_stuck_without_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    a_file(tmp_path, PREVIEW)
    refusing(monkeypatch, call, [Path(SHARD).name, "preview.jpg"], number)

    assert await deleted(tmp_path, PREVIEW) == (FileStuck(os.strerror(number)),)
    assert files_below(tmp_path) == {PREVIEW}


async def test_without_a_root_everything_is_stuck(tmp_path: Path) -> None:
    stuck = FileStuck("No such file or directory")

    assert await deleted(tmp_path / "marker", PREVIEW, THUMBNAIL) == (stuck, stuck)


async def test_a_file_that_goes_right_before_it_is_deleted_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_file(tmp_path, PREVIEW)
    right_before(monkeypatch, "unlink", "preview.jpg", (tmp_path / PREVIEW).unlink)

    assert await deleted(tmp_path, PREVIEW) == (FileGone(),)
    assert not (tmp_path / SHARD).exists()


async def test_a_file_that_a_crawl_writes_right_before_its_folder_goes_stays_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_file(tmp_path, PREVIEW)
    right_before(monkeypatch, "rmdir", Path(SHARD).name, lambda: a_file(tmp_path, THUMBNAIL))

    assert await deleted(tmp_path, PREVIEW) == (FileDeleted(7),)
    assert files_below(tmp_path) == {THUMBNAIL}


async def test_a_crawl_makes_its_folder_again_that_was_taken_away_before_it_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, left = os.open, [True] * 3

    def hooked(path: Any, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 -- as the system's own
        if str(path).endswith(".tmp") and left:
            left.pop()
            (tmp_path / SHARD).rmdir()
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", hooked)
    (stored,) = await FolderProxyStore(tmp_path).write(
        SHARD, [ProxyImage(ProxyKind.PREVIEW, 1, 1, b"content")]
    )

    assert left == []
    assert stored.path == PREVIEW
    assert (tmp_path / PREVIEW).read_bytes() == b"content"
