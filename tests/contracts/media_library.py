"""What every media library promises of whole assets, and of finding them."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date, time, timedelta

import pytest

from application.ports.errors import StoreRefused
from application.ports.media_library import Added, Replaced, Stretch, Vanished
from domain.ids import StorageConfigId, UserId
from domain.media.asset import KnownAsset, MediaAsset
from domain.media.capture_date import CaptureDate, DateSource
from domain.media.content import ContentHash
from domain.media.failed_file import FailedFile
from domain.media.failure import FailureReason
from domain.media.file import LONGEST_PATH, RelativePath
from domain.media.memories import DayOfYear
from tests.contracts.shelves import BEACH, SECOND_CRAWL, Shelf, a_bare_asset, an_asset
from tests.support.builders import ids


class MediaLibraryContract:
    """An adapter's test supplies `shelf`."""

    async def test_what_was_never_stored_is_not_known(self, shelf: Shelf) -> None:
        assert await shelf.known() == {}
        assert await shelf.assets.get(shelf.config, BEACH) is None
        assert not await shelf.library.holds(shelf.config, ContentHash(b"\x01" * 32))

    @pytest.mark.parametrize("make", [an_asset, a_bare_asset])
    async def test_a_stored_asset_comes_back_as_it_was(
        self, shelf: Shelf, make: Callable[[StorageConfigId], MediaAsset]
    ) -> None:
        asset = make(shelf.config)

        answer = await shelf.library.store(asset)

        assert answer == Added()
        assert await shelf.stored() == asset
        assert await shelf.known() == {
            BEACH: KnownAsset(asset.id, BEACH, asset.signature, asset.content, is_gone=False)
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

    async def test_a_path_as_long_as_may_be_is_kept_and_found(self, shelf: Shelf) -> None:
        # Nothing in it can be packed, and folding its capitals makes three of each letter of its name.
        folders = b"/".join(random.Random(n).randbytes(500).translate(None, b"/\0")[:222] for n in range(8))  # noqa: S311
        path = RelativePath(folders + b"/" + "\u0390".encode() * 130 + b".jpg")
        asset = an_asset(shelf.config, path)

        await shelf.library.store(asset)
        await shelf.failures.record(shelf.config, [FailedFile(path, FailureReason.DAMAGED)], at=SECOND_CRAWL)

        assert len(path) == LONGEST_PATH
        assert await shelf.stored(path) == asset
        assert [row.failed.path for row in await shelf.failures.known(shelf.config, Stretch(), limit=9)] == [
            path
        ]

    async def test_one_asset_of_a_content_is_told_gone_or_not(self, shelf: Shelf) -> None:
        asset = an_asset(shelf.config)
        await shelf.library.store(asset)
        there = await shelf.assets.of_content(shelf.config, asset.content)
        await shelf.library.change(shelf.config, [Vanished(asset.known)], at=SECOND_CRAWL)
        gone = await shelf.assets.of_content(shelf.config, asset.content)
        copy = an_asset(shelf.config, RelativePath(b"a.jpg"))
        await shelf.library.store(copy)

        told = await shelf.assets.of_content(shelf.config, asset.content)

        assert (there, gone) == (asset, replace(asset, is_gone=True))
        assert told in (copy, gone)
        assert await shelf.assets.of_content(shelf.other_config, asset.content) is None
        assert await shelf.assets.of_content(shelf.config, ContentHash(b"\x02" * 32)) is None

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

    async def test_paths_are_told_apart_by_every_byte_and_come_in_their_order(self, shelf: Shelf) -> None:
        names = [
            b"E.jpg",
            b"a.jpg",
            b"a/b.jpg",
            b"a0.jpg",
            b"caf\xc3\xa9.jpg",
            b"caf\xe9.jpg",
            b"cafe\xcc\x81.jpg",
            b"e.jpg",
            b"\xff.jpg",
        ]
        for name in reversed(names):
            assert await shelf.library.store(an_asset(shelf.config, RelativePath(name))) == Added()

        known = await shelf.known()

        assert list(known) == sorted(names)
        assert len({asset.id for asset in known.values()}) == 9

    async def test_a_stretch_ends_with_its_last_path_and_begins_beyond_the_one_before(
        self, shelf: Shelf
    ) -> None:
        await shelf.put(b"a.jpg", b"a/b.jpg", b"a/c.jpg", b"b.jpg")

        async def paths(after: bytes | None, until: bytes | None, limit: int = 10) -> list[bytes]:
            stretch = Stretch(
                None if after is None else RelativePath(after), None if until is None else RelativePath(until)
            )
            return [asset.path for asset in await shelf.library.known(shelf.config, stretch, limit=limit)]

        assert await paths(None, b"a/b.jpg") == [b"a.jpg", b"a/b.jpg"]
        assert await paths(b"a/b.jpg", None) == [b"a/c.jpg", b"b.jpg"]
        assert await paths(b"a.jpg", b"a/c.jpg") == [b"a/b.jpg", b"a/c.jpg"]
        assert await paths(b"a/bb.jpg", b"a/bc.jpg") == []
        assert await paths(None, None, limit=3) == [b"a.jpg", b"a/b.jpg", b"a/c.jpg"]

    async def test_libraries_do_not_know_of_each_other(self, shelf: Shelf) -> None:
        await shelf.library.store(an_asset(shelf.config))

        assert await shelf.library.known(shelf.other_config, Stretch(), limit=1) == ()
        assert not await shelf.library.holds(shelf.other_config, ContentHash(b"\x01" * 32))
        assert await shelf.library.store(an_asset(shelf.other_config)) == Added()

    async def test_two_crawls_that_store_one_path_leave_one_asset(self, shelf: Shelf) -> None:
        rivals = [an_asset(shelf.config) for _ in range(4)]

        answers = await asyncio.gather(*(shelf.library.store(rival) for rival in rivals))

        assert sorted(answers, key=str) == [Added(), Replaced(), Replaced(), Replaced()]
        assert (await shelf.stored()).id in {rival.id for rival in rivals}

    async def test_a_config_that_is_gone_gets_no_assets(self, shelf: Shelf) -> None:
        with pytest.raises(StoreRefused):
            await shelf.library.store(an_asset(StorageConfigId(ids.next())))

    async def test_the_assets_of_a_day_come_from_every_year_the_newest_first(self, shelf: Shelf) -> None:
        def taken(path: bytes, day: date, hour: int = 12, *, other: bool = False) -> MediaAsset:
            config = shelf.other_config if other else shelf.config
            captured = CaptureDate(day, time(hour), None, DateSource.EXIF_ORIGINAL)
            return replace(an_asset(config, RelativePath(path)), captured=captured)

        assets = [
            taken(b"old.jpg", date(2001, 7, 8)),
            taken(b"new.jpg", date(2020, 7, 8), 9),
            taken(b"newer.jpg", date(2020, 7, 8), 10),
            taken(b"gone.jpg", date(2019, 7, 8)),
            taken(b"other.jpg", date(2010, 7, 8), other=True),
            taken(b"next-day.jpg", date(2010, 7, 9)),
            taken(b"next-month.jpg", date(2010, 8, 8)),
            replace(an_asset(shelf.config, RelativePath(b"undated.jpg")), captured=None),
        ]
        for asset in assets:
            await shelf.library.store(asset)
        await shelf.library.change(shelf.config, [Vanished(assets[3].known)], at=SECOND_CRAWL)

        async def found(*days: DayOfYear, user: UserId | None = None) -> list[bytes]:
            return [asset.path for asset in await shelf.assets.captured_on(days, user=user)]

        everything = [b"newer.jpg", b"new.jpg", b"other.jpg", b"old.jpg"]
        assert await found(DayOfYear(7, 8)) == everything
        assert await found(DayOfYear(7, 8), user=shelf.user) == everything
        assert await found(DayOfYear(7, 8), user=UserId(ids.next())) == []
        assert await found(DayOfYear(7, 9), DayOfYear(8, 8)) == [b"next-month.jpg", b"next-day.jpg"]
        assert await found(DayOfYear(1, 1)) == []
        assert (await shelf.assets.captured_on([DayOfYear(7, 9)], user=None)) == (assets[5],)
