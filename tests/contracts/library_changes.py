"""What every media library promises of assets that come back, move and go."""

from dataclasses import replace
from datetime import date, time

import pytest

from application.ports.media_library import MovedTo, Replaced, SeenAgain, Vanished
from domain.media.capture_date import CaptureDate, DateSource
from domain.media.content import ContentHash
from domain.media.file import FoundFile, RelativePath
from domain.media.moves import Move
from tests.contracts.shelves import (
    BEACH,
    ELSEWHERE,
    SECOND_CRAWL,
    Shelf,
    a_bare_asset,
    an_asset,
)

NEW_PATH = RelativePath(b"2020/caf\xe9.jpg")
BY_NAME = CaptureDate(date(2020, 1, 2), time(3, 4, 5), None, DateSource.FILE_NAME)


class LibraryChangesContract:
    """An adapter's test supplies `shelf`."""

    async def test_seeing_a_file_again_changes_nothing_but_its_signature(self, shelf: Shelf) -> None:
        seen, unseen = await shelf.put(b"a.jpg", b"b.jpg")

        await shelf.library.change(shelf.config, [SeenAgain(seen.known, ELSEWHERE)], at=SECOND_CRAWL)
        await shelf.library.change(shelf.config, [], at=SECOND_CRAWL)

        assert await shelf.stored(seen.path) == replace(seen, signature=ELSEWHERE, seen_at=SECOND_CRAWL)
        assert await shelf.stored(unseen.path) == unseen

    async def test_what_vanished_keeps_everything_and_comes_back_with_it(self, shelf: Shelf) -> None:
        (asset,) = await shelf.put(b"a.jpg")

        await shelf.library.change(shelf.config, [Vanished(asset.known)], at=SECOND_CRAWL)

        gone = replace(asset, is_gone=True)
        assert await shelf.stored(asset.path) == gone
        assert await shelf.known() == {asset.path: gone.known}

        await shelf.library.change(shelf.config, [SeenAgain(gone.known, asset.signature)], at=SECOND_CRAWL)

        assert await shelf.stored(asset.path) == replace(asset, seen_at=SECOND_CRAWL)

    async def test_new_content_brings_back_what_was_gone(self, shelf: Shelf) -> None:
        asset = an_asset(shelf.config)
        await shelf.library.store(asset)
        await shelf.library.change(shelf.config, [Vanished(asset.known)], at=SECOND_CRAWL)

        assert await shelf.library.store(a_bare_asset(shelf.config)) == Replaced()

        found = await shelf.stored()
        assert (found.id, found.is_gone) == (asset.id, False)

    @pytest.mark.parametrize("is_gone", [False, True])
    async def test_a_move_keeps_everything_but_the_path(self, shelf: Shelf, is_gone: bool) -> None:  # noqa: FBT001 -- pytest's way
        asset = an_asset(shelf.config)
        await shelf.library.store(asset)
        if is_gone:
            await shelf.library.change(shelf.config, [Vanished(asset.known)], at=SECOND_CRAWL)
        read = (await shelf.stored()).known
        move = Move(read, FoundFile(NEW_PATH, ELSEWHERE))

        await shelf.library.change(shelf.config, [MovedTo(move, BY_NAME)], at=SECOND_CRAWL)

        assert await shelf.assets.get(shelf.config, BEACH) is None
        assert await shelf.stored(NEW_PATH) == replace(
            asset, path=NEW_PATH, signature=ELSEWHERE, seen_at=SECOND_CRAWL
        )

    @pytest.mark.parametrize(
        "earlier",
        [
            None,
            CaptureDate(date(2001, 1, 1), time(0, 0), None, DateSource.FILE_NAME),
            CaptureDate(date(2001, 1, 1), time(0, 0), None, DateSource.MODIFIED),
        ],
    )
    async def test_a_date_that_the_name_gave_follows_the_new_name(
        self, shelf: Shelf, earlier: CaptureDate | None
    ) -> None:
        asset = replace(an_asset(shelf.config), captured=earlier)
        await shelf.library.store(asset)
        move = Move(asset.known, FoundFile(NEW_PATH, ELSEWHERE))

        await shelf.library.change(shelf.config, [MovedTo(move, BY_NAME)], at=SECOND_CRAWL)

        assert (await shelf.stored(NEW_PATH)).captured == BY_NAME

    async def test_nothing_moves_to_where_another_asset_is(self, shelf: Shelf) -> None:
        one, other = await shelf.put(b"one.jpg", b"other.jpg")
        move = Move(one.known, FoundFile(other.path, ELSEWHERE))

        await shelf.library.change(shelf.config, [MovedTo(move, None)], at=SECOND_CRAWL)

        assert await shelf.stored(one.path) == one
        assert await shelf.stored(other.path) == other

    async def test_what_somebody_changed_since_it_was_read_is_left_alone(self, shelf: Shelf) -> None:
        (asset,) = await shelf.put(b"a.jpg")
        changed = replace(asset.known, signature=ELSEWHERE)
        gone = replace(asset.known, is_gone=True)

        for read in (changed, gone):
            await shelf.library.change(
                shelf.config,
                [
                    Vanished(read),
                    SeenAgain(read, ELSEWHERE),
                    MovedTo(Move(read, FoundFile(NEW_PATH, ELSEWHERE)), BY_NAME),
                ],
                at=SECOND_CRAWL,
            )

        assert await shelf.stored(asset.path) == asset

    async def test_content_is_held_by_what_is_gone_too(self, shelf: Shelf) -> None:
        here, gone = await shelf.put(b"here.jpg", b"gone.jpg")
        await shelf.library.change(shelf.config, [Vanished(gone.known)], at=SECOND_CRAWL)

        assert await shelf.library.holds(shelf.config, here.content)
        assert await shelf.library.holds(shelf.config, gone.content)
        assert not await shelf.library.holds(shelf.other_config, here.content)
        assert await shelf.library.gone(shelf.config, {here.content, gone.content}) == (
            replace(gone.known, is_gone=True),
        )
        assert await shelf.library.gone(shelf.config, set()) == ()
        assert await shelf.library.gone(shelf.other_config, {gone.content}) == ()

    async def test_many_contents_can_be_asked_for_at_once(self, shelf: Shelf) -> None:
        (gone,) = await shelf.put(b"gone.jpg")
        await shelf.library.change(shelf.config, [Vanished(gone.known)], at=SECOND_CRAWL)
        contents = {ContentHash(number.to_bytes(32, "big")) for number in range(1_200)}

        found = await shelf.library.gone(shelf.config, {*contents, gone.content})

        assert [asset.path for asset in found] == [b"gone.jpg"]
