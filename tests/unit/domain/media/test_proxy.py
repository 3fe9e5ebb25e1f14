from uuid import UUID

from domain.ids import StorageConfigId
from domain.media.content import ContentHash
from domain.media.proxy import ProxyFile, ProxyImage, ProxyKind, proxy_file, shard

CONFIG = StorageConfigId(UUID("00000000-0001-7000-8000-000000000000"))


def test_a_contents_proxies_share_a_folder_that_begins_with_its_hash() -> None:
    folder = shard(CONFIG, ContentHash(b"\xab" + b"\x01" * 31))

    assert folder == f"ab/00000000-0001-7000-8000-000000000000-ab{'01' * 31}"


def test_a_proxy_is_named_by_its_kind() -> None:
    image = ProxyImage(ProxyKind.THUMBNAIL, width=300, height=200, content=b"12345")

    assert proxy_file("ab/folder", image) == ProxyFile(
        ProxyKind.THUMBNAIL, path="ab/folder/thumbnail.jpg", size=5, width=300, height=200
    )
