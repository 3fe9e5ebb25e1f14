"""What every media library promises."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

import pytest

from application.ports.errors import StoreRefused
from application.ports.media_library import Added, MediaLibrary, Replaced
from domain.ids import StorageConfigId
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


@dataclass(frozen=True, slots=True)
class Shelf:
    """A library and two configs of the same store."""

    library: MediaLibrary
    config: StorageConfigId
    other_config: StorageConfigId

    async def stored(self, path: RelativePath = BEACH) -> MediaAsset:
        """What a path has; asserts that it has something."""
        asset = await self.library.get(self.config, path)
        assert asset is not None
        return asset


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
        media_type=MediaType.PNG,
        captured=None,
        metadata=Metadata(width=1, height=1),
        proxies=(),
        seen_at=SECOND_CRAWL,
    )


class MediaLibraryContract:
    """An adapter's test supplies `shelf`."""

    async def test_what_was_never_stored_is_not_known(self, shelf: Shelf) -> None:
        assert await shelf.library.known(shelf.config, [BEACH]) == {}
        assert await shelf.library.known(shelf.config, []) == {}
        assert await shelf.library.get(shelf.config, BEACH) is None

    @pytest.mark.parametrize("make", [an_asset, a_bare_asset])
    async def test_a_stored_asset_comes_back_as_it_was(
        self, shelf: Shelf, make: Callable[[StorageConfigId], MediaAsset]
    ) -> None:
        asset = make(shelf.config)

        answer = await shelf.library.store(asset)

        assert answer == Added()
        assert await shelf.stored() == asset
        assert await shelf.library.known(shelf.config, [BEACH, RelativePath(b"other.jpg")]) == {
            BEACH: KnownAsset(asset.id, asset.signature, asset.content)
        }

    @pytest.mark.parametrize(
        "captured",
        [
            CaptureDate(date(1826, 1, 1), time(0, 0), None, DateSource.FILE_NAME),
            CaptureDate(date(2020, 2, 29), time(23, 59, 59, 999_999), timedelta(), DateSource.XMP),
            CaptureDate(date(2020, 2, 29), time(0, 0, 0, 1), timedelta(hours=14), DateSource.GPS),
        ],
    )
    async def test_dates_come_back_to_the_microsecond(self, shelf: Shelf, captured: CaptureDate) -> None:
        await shelf.library.store(replace(an_asset(shelf.config), captured=captured))

        assert (await shelf.stored()).captured == captured

    async def test_a_path_keeps_its_id_when_its_content_changes(self, shelf: Shelf) -> None:
        first, second = an_asset(shelf.config), a_bare_asset(shelf.config)
        await shelf.library.store(first)

        answer = await shelf.library.store(second)

        assert answer == Replaced()
        assert await shelf.stored() == replace(second, id=first.id)

    async def test_storing_the_same_again_changes_nothing(self, shelf: Shelf) -> None:
        asset = an_asset(shelf.config)
        await shelf.library.store(asset)

        await shelf.library.store(asset)

        assert await shelf.stored() == asset

    async def test_seeing_a_file_changes_nothing_else(self, shelf: Shelf) -> None:
        seen, unseen = an_asset(shelf.config), an_asset(shelf.config, RelativePath(b"unseen.jpg"))
        await shelf.library.store(seen)
        await shelf.library.store(unseen)

        await shelf.library.mark_seen([replace(seen.known, signature=ELSEWHERE)], at=SECOND_CRAWL)
        await shelf.library.mark_seen([], at=SECOND_CRAWL)

        assert await shelf.stored() == replace(seen, signature=ELSEWHERE, seen_at=SECOND_CRAWL)
        assert await shelf.stored(unseen.path) == unseen

    async def test_paths_are_told_apart_by_every_byte(self, shelf: Shelf) -> None:
        names = [
            b"caf\xe9.jpg",
            b"\xc3\xa9.jpg",
            b"e\xcc\x81.jpg",
            b"E.jpg",
            b"e.jpg",
            b"e.jpg ",
            b"new\nline.jpg",
        ]
        for name in names:
            assert await shelf.library.store(an_asset(shelf.config, RelativePath(name))) == Added()

        known = await shelf.library.known(shelf.config, [RelativePath(name) for name in names])

        assert sorted(known) == sorted(names)
        assert len({asset.id for asset in known.values()}) == 7

    async def test_libraries_do_not_know_of_each_other(self, shelf: Shelf) -> None:
        await shelf.library.store(an_asset(shelf.config))

        assert await shelf.library.known(shelf.other_config, [BEACH]) == {}
        assert await shelf.library.store(an_asset(shelf.other_config)) == Added()

    async def test_two_crawls_that_store_one_path_leave_one_asset(self, shelf: Shelf) -> None:
        rivals = [an_asset(shelf.config) for _ in range(4)]

        answers = await asyncio.gather(*(shelf.library.store(rival) for rival in rivals))

        assert sorted(answers, key=str) == [Added(), Replaced(), Replaced(), Replaced()]
        assert (await shelf.stored()).id in {rival.id for rival in rivals}

    async def test_a_whole_folder_can_be_asked_for_and_marked_at_once(self, shelf: Shelf) -> None:
        asset = an_asset(shelf.config)
        await shelf.library.store(asset)
        paths = [RelativePath(b"%d.jpg" % number) for number in range(2_000)]

        known = await shelf.library.known(shelf.config, [*paths, BEACH])
        await shelf.library.mark_seen([known[BEACH]] * 2_000, at=SECOND_CRAWL)

        assert list(known) == [BEACH]
        assert (await shelf.stored()).seen_at == SECOND_CRAWL

    async def test_a_config_that_is_gone_gets_no_assets(self, shelf: Shelf) -> None:
        with pytest.raises(StoreRefused):
            await shelf.library.store(an_asset(StorageConfigId(ids.next())))
