"""Libraries to test with, and what stands in them."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from application.ports.live_photos import LivePhotos
from application.ports.media_failures import MediaFailures
from application.ports.media_library import MediaAssets, MediaLibrary, Stretch
from domain.ids import StorageConfigId, UserId
from domain.media.asset import AssetId, KnownAsset, MediaAsset
from domain.media.capture_date import CaptureDate, DateSource
from domain.media.content import ContentHash, MediaType
from domain.media.file import FileSignature, RelativePath
from domain.media.metadata import Metadata, Orientation
from domain.media.place import Place
from domain.media.proxy import ProxyFile, ProxyKind
from tests.support.builders import ids

FIRST_CRAWL = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)
SECOND_CRAWL = datetime(2025, 3, 1, 16, 0, tzinfo=UTC)
BEACH = RelativePath(b"2019/beach.jpg")
HERE = FileSignature(
    size=2_000_000, mtime_ns=1_562_625_296_123_456_789, ctime_ns=1_700_000_000_000_000_001, inode=77
)
ELSEWHERE = FileSignature(size=2**62, mtime_ns=-1, ctime_ns=2**63 - 1, inode=-(2**63))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The ports of one store's library, and two configs of one user."""

    library: MediaLibrary
    assets: MediaAssets
    live_photos: LivePhotos
    failures: MediaFailures
    user: UserId
    config: StorageConfigId
    other_config: StorageConfigId

    async def stored(self, path: RelativePath = BEACH) -> MediaAsset:
        """What a path has; asserts that it has something."""
        asset = await self.assets.get(self.config, path)
        assert asset is not None
        return asset

    async def known(self) -> dict[RelativePath, KnownAsset]:
        """Everything that the first config has, in its order."""
        rows = await self.library.known(self.config, Stretch(), limit=10_000)
        return {asset.path: asset for asset in rows}

    async def put(self, *paths: bytes) -> list[MediaAsset]:
        """Assets of these paths, each of its own content."""
        assets = [
            replace(an_asset(self.config, RelativePath(path)), content=ContentHash(path[-32:].rjust(32)))
            for path in paths
        ]
        for asset in assets:
            await self.library.store(asset)
        return assets


def an_asset(config: StorageConfigId, path: RelativePath = BEACH) -> MediaAsset:
    """An asset with everything that there can be."""
    return MediaAsset(
        id=AssetId(ids.next()),
        storage_config_id=config,
        path=path,
        signature=HERE,
        content=ContentHash(b"\x01" * 32),
        media_type=MediaType.JPEG,
        captured=CaptureDate(
            date(2019, 7, 8),
            time(12, 34, 56, 53_200),
            -timedelta(hours=3, minutes=30),
            DateSource.EXIF_ORIGINAL,
        ),
        metadata=Metadata(
            width=3024,
            height=4032,
            orientation=Orientation.ON_ITS_LEFT,
            place=Place(-33.858333333333334, 0.0),
            camera_make="Canon",
            camera_model="EOS 5D",
            lens_model="EF 50mm \N{LATIN SMALL LETTER F WITH HOOK}/1.8",
            duration=timedelta(seconds=2, milliseconds=833),
            content_identifier="8A5E6B3C-0001",
        ),
        blurhash="LKAgAHp0?#tmp0fkj?j[?#j?ococ",
        proxies=(
            ProxyFile(ProxyKind.THUMBNAIL, "01/a/thumbnail.jpg", size=12_000, width=225, height=300),
            ProxyFile(ProxyKind.PREVIEW, "01/a/preview.jpg", size=400_000, width=1440, height=1920),
        ),
        seen_at=FIRST_CRAWL,
    )


def a_bare_asset(config: StorageConfigId, path: RelativePath = BEACH) -> MediaAsset:
    """An asset with as little as there can be."""
    return replace(
        an_asset(config, path),
        signature=ELSEWHERE,
        content=ContentHash(b"\xff" * 32),
        media_type=MediaType.QUICKTIME,
        captured=None,
        metadata=Metadata(),
        proxies=(),
        seen_at=SECOND_CRAWL,
    )
