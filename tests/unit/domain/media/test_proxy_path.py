import pytest

from domain.ids import StorageConfigId
from domain.media.content import ContentHash
from domain.media.proxy import ProxyImage, ProxyKind, proxy_file, shard
from domain.media.proxy_path import ForeignName, ProxyPath, may_hold_proxies, proxy_path
from tests.support.builders import ids

HASH = "ab" + "0123456789" * 6 + "cd"
CONFIG = "0191d3a0-7c5e-7d2f-9d51-9bb1a1a0c0de"
SHARD = f"ab/{CONFIG}-{HASH}"


@pytest.mark.parametrize("kind", list(ProxyKind))
def test_every_proxy_that_is_made_is_known_by_its_name(kind: ProxyKind) -> None:
    config = StorageConfigId(ids.next())
    path = proxy_file(shard(config, ContentHash(b"\xfe" * 32)), ProxyImage(kind, 1, 1, b"")).path

    assert proxy_path(path) == ProxyPath(path, config, is_leftover=False)


@pytest.mark.parametrize("name", ["preview.jpg", "square-1_2.webp", "0.avif", "a.png", "x" * 64 + ".jpeg"])
def test_other_sizes_and_formats_are_proxies_too(name: str) -> None:
    path = proxy_path(f"{SHARD}/{name}")

    assert isinstance(path, ProxyPath)
    assert (str(path.owner), path.is_leftover) == (CONFIG, False)


def test_a_name_from_before_a_file_was_whole_is_a_leftover() -> None:
    path = proxy_path(f"{SHARD}/.preview.jpg.4711-0badcafe.tmp")

    assert isinstance(path, ProxyPath)
    assert (str(path.owner), path.is_leftover) == (CONFIG, True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "preview.jpg",
        "ab",
        "ab/preview.jpg",
        SHARD,
        f"{SHARD}/",
        f"/{SHARD}/preview.jpg",
        f"./{SHARD}/preview.jpg",
        f"{SHARD}//preview.jpg",
        f"{SHARD}/../preview.jpg",
        f"../{SHARD}/preview.jpg",
        f"{SHARD}/deeper/preview.jpg",
        f"{SHARD}/preview.jpg\n",
        f"{SHARD}/preview.jpg\0",
        f"{SHARD}/preview.JPG",
        f"{SHARD}/Preview.jpg",
        f"{SHARD}/preview.gif",
        f"{SHARD}/preview",
        f"{SHARD}/.preview.jpg",
        f"{SHARD}/-preview.jpg",
        f"{SHARD}/holiday in rome.jpg",
        f"{SHARD}/pr\u00e9view.jpg",
        f"{SHARD}/\udce9.jpg",
        f"{SHARD}/{'x' * 65}.jpg",
        f"{SHARD}/preview.jpg.4711-0badcafe.tmp",
        f"{SHARD}/.preview.jpg.4711.tmp",
        f"{SHARD}/.preview.jpg.\u0664-0badcafe.tmp",
        f"{SHARD}/..jpg.4711-0badcafe.tmp",
        f"cd/{CONFIG}-{HASH}/preview.jpg",
        f"AB/{CONFIG}-{HASH}/preview.jpg",
        f"ab/{CONFIG.upper()}-{HASH}/preview.jpg",
        f"ab/{CONFIG}-{HASH[:-1]}/preview.jpg",
        f"ab/{CONFIG}-{HASH}0/preview.jpg",
        f"ab/{HASH}/preview.jpg",
    ],
)
def test_whatever_else_lies_there_is_foreign(text: str) -> None:
    assert proxy_path(text) == ForeignName()


@pytest.mark.parametrize("folder", ["ab", "00", SHARD])
def test_folders_on_the_way_to_proxies_are_entered(folder: str) -> None:
    assert may_hold_proxies(folder)


@pytest.mark.parametrize(
    "folder",
    ["", "a", "abc", "AB", "lost+found", "..", "ab/", f"{SHARD}/deeper", f"{SHARD}\n", "ab/lost+found"],
)
def test_no_other_folder_is_entered(folder: str) -> None:
    assert not may_hold_proxies(folder)
