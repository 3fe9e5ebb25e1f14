import asyncio
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from adapters.filesystem.proxy_store import FolderProxyStore
from application.ports.proxy_store import ProxiesUnwritable
from domain.media.proxy import ProxyFile, ProxyImage, ProxyKind
from tests.support.photos import without_rights, written

THUMBNAIL = ProxyImage(ProxyKind.THUMBNAIL, width=30, height=20, content=b"thumbnail")
PREVIEW = ProxyImage(ProxyKind.PREVIEW, width=300, height=200, content=b"preview" * 100)
FOLDER = "ab/config-abcd"


def files_below(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


async def test_all_images_of_a_content_lie_in_its_folder(tmp_path: Path) -> None:
    stored = await FolderProxyStore(tmp_path / "proxies").write(FOLDER, [THUMBNAIL, PREVIEW])

    assert stored == (
        ProxyFile(ProxyKind.THUMBNAIL, f"{FOLDER}/thumbnail.jpg", size=9, width=30, height=20),
        ProxyFile(ProxyKind.PREVIEW, f"{FOLDER}/preview.jpg", size=700, width=300, height=200),
    )
    assert files_below(tmp_path / "proxies") == {
        f"{FOLDER}/thumbnail.jpg": b"thumbnail",
        f"{FOLDER}/preview.jpg": b"preview" * 100,
    }


async def test_files_are_for_owner_and_group_only(tmp_path: Path) -> None:
    await FolderProxyStore(tmp_path).write(FOLDER, [PREVIEW])

    assert (tmp_path / FOLDER / "preview.jpg").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / FOLDER).stat().st_mode & 0o027 == 0


async def test_writing_again_replaces(tmp_path: Path) -> None:
    store = FolderProxyStore(tmp_path)
    await store.write(FOLDER, [PREVIEW])

    await store.write(FOLDER, [ProxyImage(ProxyKind.PREVIEW, 1, 1, b"other")])

    assert files_below(tmp_path) == {f"{FOLDER}/preview.jpg": b"other"}


async def test_writers_of_equal_content_do_not_disturb_each_other(tmp_path: Path) -> None:
    stores = [FolderProxyStore(tmp_path) for _ in range(16)]

    await asyncio.gather(*(store.write(FOLDER, [THUMBNAIL, PREVIEW]) for store in stores))

    assert set(files_below(tmp_path)) == {f"{FOLDER}/thumbnail.jpg", f"{FOLDER}/preview.jpg"}


async def test_a_full_disk_is_nobodys_fault_and_leaves_no_half_file(tmp_path: Path) -> None:
    store = FolderProxyStore(tmp_path)
    await store.write(FOLDER, [ProxyImage(ProxyKind.PREVIEW, 1, 1, b"old")])

    with room_for(100), pytest.raises(ProxiesUnwritable):
        await store.write(FOLDER, [PREVIEW])

    assert files_below(tmp_path) == {f"{FOLDER}/preview.jpg": b"old"}
    await store.write(FOLDER, [PREVIEW])
    assert files_below(tmp_path) == {f"{FOLDER}/preview.jpg": b"preview" * 100}


async def test_a_folder_that_is_none_is_unwritable(tmp_path: Path) -> None:
    with pytest.raises(ProxiesUnwritable):
        await FolderProxyStore(written(tmp_path / "file", b"")).write(FOLDER, [PREVIEW])


async def test_a_read_only_folder_is_unwritable_and_the_error_names_no_path() -> None:
    with without_rights() as folder:
        folder.chmod(0o500)

        with pytest.raises(ProxiesUnwritable) as failure:
            await FolderProxyStore(folder).write(FOLDER, [PREVIEW])

        folder.chmod(0o700)
    assert str(failure.value) == "Permission denied"


async def test_what_is_written_is_synced_before_it_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    real = os.fsync

    def watched(descriptor: int) -> None:
        synced.append(synced_name(descriptor))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", watched)

    await FolderProxyStore(tmp_path).write(FOLDER, [PREVIEW])

    # New folders in their parents, the file under its temporary name, and the folder that names it.
    assert synced == [tmp_path.name, "ab", "temporary", "config-abcd"]


def synced_name(descriptor: int) -> str:
    name = Path(f"/proc/self/fd/{descriptor}").readlink().name
    return "temporary" if name.startswith(".preview.jpg.") else name


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Files may not grow beyond `size`, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
