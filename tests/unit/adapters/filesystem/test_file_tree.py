import os
import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from adapters.filesystem.file_tree import MountedFileTree
from adapters.filesystem.walk import WalkRules
from application.ports.file_tree import FoundBatch, NotOpened, OpenFile, RootUnreadable
from domain.media.failure import FailureReason
from domain.media.file import RelativePath
from tests.support.photos import without_rights, written


async def walked(root: Path) -> FoundBatch:
    """Everything below a root, as one batch."""
    batches = [batch async for batch in MountedFileTree().walk(str(root))]
    return FoundBatch(
        files=tuple(file for batch in batches for file in batch.files),
        barred=tuple(path for batch in batches for path in batch.barred),
        passed_over=sum(batch.passed_over for batch in batches),
    )


async def paths_below(root: Path) -> list[bytes]:
    return [file.path for file in (await walked(root)).files]


async def opening(root: Path, path: str) -> OpenFile | NotOpened:
    async with MountedFileTree().opened(str(root), RelativePath(path.encode())) as opened:
        return opened


def a_tree(root: Path, *paths: str) -> None:
    for path in paths:
        written(root / path, b"content")


async def test_media_files_are_found_in_the_order_of_paths_byte_by_byte(tmp_path: Path) -> None:
    a_tree(
        tmp_path, "b.JPG", "a/summer/x.Heic", "a/z.MOV", "a/a.png", "a.jpg", "a0.jpg", "Z.jpg", "a-b/c.jpg"
    )

    found = await paths_below(tmp_path)

    assert found == sorted(found)
    assert found == [
        b"Z.jpg",
        b"a-b/c.jpg",
        b"a.jpg",
        b"a/a.png",
        b"a/summer/x.Heic",
        b"a/z.MOV",
        b"a0.jpg",
        b"b.JPG",
    ]


async def test_raw_files_and_sidecars_are_counted_and_everything_else_is_not(tmp_path: Path) -> None:
    a_tree(
        tmp_path, "a.jpg", "a.CR2", "b/a.xmp", "a.jpg.txt", "jpg", ".jpg", ".hidden.jpg", "._a.jpg", ".a.xmp"
    )

    found = await walked(tmp_path)

    assert [file.path for file in found.files] == [b"a.jpg"]
    assert found.passed_over == 2


async def test_folders_that_systems_keep_for_themselves_are_not_entered(tmp_path: Path) -> None:
    skipped = ["@eaDir", "#recycle", ".@__thumb", "$RECYCLE.BIN", "lost+found", ".thumbnails"]
    a_tree(tmp_path, "kept/a.jpg", *(f"{folder}/a.jpg" for folder in skipped))

    assert await paths_below(tmp_path) == [b"kept/a.jpg"]


async def test_other_names_can_be_skipped_with_stars_and_question_marks(tmp_path: Path) -> None:
    a_tree(
        tmp_path,
        "a.jpg",
        "previews.lrdata/a.jpg",
        "x/cache1/a.jpg",
        "x/cache12/a.jpg",
        "x/b.jpg",
        "@eaDir/a.jpg",
    )
    tree = MountedFileTree(WalkRules(["*.lrdata", "cache?", "b.jpg"]))

    found = [file.path async for batch in tree.walk(str(tmp_path)) for file in batch.files]

    assert found == [b"@eaDir/a.jpg", b"a.jpg", b"x/cache12/a.jpg"]


async def test_links_are_not_followed_whether_they_lead_to_files_folders_or_round_in_circles(
    tmp_path: Path,
) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    a_tree(root, "a.jpg")
    a_tree(outside, "secret.jpg")
    (root / "file.jpg").symlink_to(outside / "secret.jpg")
    (root / "folder").symlink_to(outside)
    (root / "loop").symlink_to(root)

    found = await walked(root)

    assert [file.path for file in found.files] == [b"a.jpg"]
    assert found.passed_over == 3


async def test_only_regular_files_count(tmp_path: Path) -> None:
    a_tree(tmp_path, "a.jpg")
    os.mkfifo(tmp_path / "fifo.jpg")
    (tmp_path / "folder.jpg").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket.jpg"))

        found = await walked(tmp_path)

    assert [file.path for file in found.files] == [b"a.jpg"]
    assert found.passed_over == 2


async def test_names_are_kept_byte_for_byte(tmp_path: Path) -> None:
    names = [b"caf\xe9.jpg", b"\xc3\xa9.jpg", b"e\xcc\x81.jpg", b"new\nline.jpg", b"back\\slash.jpg"]
    for name in names:
        written(Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)), b"content")

    found = await walked(tmp_path)

    assert sorted(file.path for file in found.files) == sorted(names)
    for file in found.files:
        async with MountedFileTree().opened(str(tmp_path), file.path) as opened:
            assert isinstance(opened, OpenFile)


async def test_a_signature_is_what_stat_says_and_that_of_the_open_file(tmp_path: Path) -> None:
    status = written(tmp_path / "a.jpg", b"12345").stat()

    (file,) = (await walked(tmp_path)).files

    assert (file.signature.size, file.signature.mtime_ns) == (5, status.st_mtime_ns)
    assert (file.signature.ctime_ns, file.signature.inode) == (status.st_ctime_ns, status.st_ino)
    opened = await opening(tmp_path, "a.jpg")
    assert isinstance(opened, OpenFile)
    assert opened.signature == file.signature


async def test_the_signature_of_an_open_file_is_that_of_now(tmp_path: Path) -> None:
    tree = MountedFileTree()
    photo = written(tmp_path / "a.jpg", b"12345")

    async with tree.opened(str(tmp_path), RelativePath(b"a.jpg")) as opened:
        assert isinstance(opened, OpenFile)
        written(photo, b"1234567")

        assert (await tree.signature(opened)).size == 7


async def test_many_files_come_in_batches(tmp_path: Path) -> None:
    a_tree(tmp_path, *(f"{number:04}.jpg" for number in range(4_801)))

    batches = [batch async for batch in MountedFileTree().walk(str(tmp_path))]

    assert [len(batch.files) for batch in batches] == [2_000, 2_000, 801]
    assert [batch.until for batch in batches] == [b"1999.jpg", b"3999.jpg", None]


async def test_a_deep_tree_needs_no_descriptor_for_each_level(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(300):
        deep /= "deep"
    a_tree(deep, "a.jpg")

    assert len(await paths_below(tmp_path)) == 1


async def test_a_root_that_is_not_there_or_no_folder_is_unreadable(tmp_path: Path) -> None:
    a_tree(tmp_path, "file.jpg")

    for root in (tmp_path / "missing", tmp_path / "file.jpg"):
        with pytest.raises(RootUnreadable):
            await walked(root)


async def test_a_root_that_may_not_be_listed_is_unreadable() -> None:
    with without_rights() as folder:
        folder.chmod(0o300)

        with pytest.raises(RootUnreadable):
            await walked(folder)

        folder.chmod(0o700)


async def test_a_folder_that_may_not_be_listed_is_counted_and_the_walk_goes_on() -> None:
    with without_rights() as folder:
        a_tree(folder, "1/a.jpg", "2/b.jpg", "3/c.jpg")
        (folder / "2").chmod(0o000)

        found = await walked(folder)

        (folder / "2").chmod(0o700)
    assert [file.path for file in found.files] == [b"1/a.jpg", b"3/c.jpg"]
    assert found.barred == (b"2/",)


async def test_a_file_whose_folder_may_be_listed_and_not_entered_is_there_and_barred() -> None:
    with without_rights() as folder:
        a_tree(folder, "1/a.jpg", "2/b.jpg", "2/c/d.jpg")
        (folder / "2").chmod(0o400)

        found = await walked(folder)
        gone = await MountedFileTree().gone(str(folder), [RelativePath(b"2/b.jpg"), RelativePath(b"2/x.jpg")])

        (folder / "2").chmod(0o700)
    assert [file.path for file in found.files] == [b"1/a.jpg"]
    assert found.barred == (b"2/b.jpg", b"2/c/")
    assert gone == frozenset()


async def test_only_what_the_walk_would_not_find_is_gone(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    a_tree(root, "a.jpg", "b/c.jpg", "@eaDir/d.jpg", "e.txt")
    a_tree(outside, "f.jpg")
    (root / "folder").symlink_to(outside)
    (root / "link.jpg").symlink_to(outside / "f.jpg")
    (root / "folder.jpg").mkdir()
    there = [b"a.jpg", b"b/c.jpg"]
    gone = [
        b"x.jpg",
        b"b/x.jpg",
        b"y/x.jpg",
        b"a.jpg/x.jpg",
        b"folder/f.jpg",
        b"link.jpg",
        b"folder.jpg",
        b"@eaDir/d.jpg",
        b"e.txt",
    ]

    answer = await MountedFileTree().gone(str(root), [RelativePath(path) for path in [*there, *gone]])

    assert sorted(answer) == sorted(gone)


async def test_below_a_root_that_is_gone_nothing_is(tmp_path: Path) -> None:
    with pytest.raises(RootUnreadable):
        await MountedFileTree().gone(str(tmp_path / "missing"), [RelativePath(b"a.jpg")])
    with pytest.raises(RootUnreadable):
        await MountedFileTree().mark(str(tmp_path / "missing"))


async def test_a_folder_that_takes_the_place_of_a_root_has_another_mark(tmp_path: Path) -> None:
    tree = MountedFileTree()
    (tmp_path / "root").mkdir()
    before = await tree.mark(str(tmp_path / "root"))
    assert await tree.mark(str(tmp_path / "root")) == before

    (tmp_path / "root").rename(tmp_path / "elsewhere")
    (tmp_path / "root").mkdir()

    assert await tree.mark(str(tmp_path / "root")) != before


async def test_where_no_file_can_be_opened_any_more_none_is_to_blame(tmp_path: Path) -> None:
    a_tree(tmp_path, "a.jpg")

    with no_more_descriptors(), pytest.raises(RootUnreadable, match="Too many open files"):
        await opening(tmp_path, "a.jpg")

    assert isinstance(await opening(tmp_path, "a.jpg"), OpenFile)


@contextmanager
def no_more_descriptors() -> Iterator[None]:
    """Let this process open nothing: descriptors that are open stay so."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest_free = os.dup(0)
    os.close(lowest_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_a_file_that_may_not_be_read_is_unreadable() -> None:
    with without_rights() as folder:
        a_tree(folder, "a.jpg")
        (folder / "a.jpg").chmod(0o000)

        assert await opening(folder, "a.jpg") == NotOpened(FailureReason.UNREADABLE)


async def test_a_file_that_went_has_vanished(tmp_path: Path) -> None:
    assert await opening(tmp_path, "a.jpg") == NotOpened(FailureReason.VANISHED)
    assert await opening(tmp_path, "folder/a.jpg") == NotOpened(FailureReason.VANISHED)


async def test_nothing_but_a_regular_file_without_links_on_the_way_is_opened(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    a_tree(outside, "secret.jpg")
    root.mkdir()
    (root / "link.jpg").symlink_to(outside / "secret.jpg")
    (root / "folder").symlink_to(outside)
    os.mkfifo(root / "fifo.jpg")
    (root / "folder.jpg").mkdir()

    for path in ("link.jpg", "folder/secret.jpg", "../outside/secret.jpg", "fifo.jpg", "folder.jpg"):
        assert await opening(root, path) == NotOpened(FailureReason.NOT_REGULAR), path


async def test_a_root_may_itself_be_a_link(tmp_path: Path) -> None:
    a_tree(tmp_path / "real", "a.jpg")
    (tmp_path / "link").symlink_to(tmp_path / "real")

    assert await paths_below(tmp_path / "link") == [b"a.jpg"]
    assert isinstance(await opening(tmp_path / "link", "a.jpg"), OpenFile)


async def test_every_descriptor_is_given_back(tmp_path: Path) -> None:
    a_tree(tmp_path, "1/a.jpg", "2/b.jpg")
    before = open_descriptors()

    await walked(tmp_path)
    await opening(tmp_path, "1/a.jpg")
    await opening(tmp_path, "1/missing.jpg")
    await opening(tmp_path, "1")

    assert open_descriptors() == before


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
