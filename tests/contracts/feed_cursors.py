"""What every store promises of a cursor that is of no use any more, or never was."""

import re
from datetime import timedelta
from typing import Final

import pytest

from application.ports.errors import StoreUnavailable
from domain.feed import Changes, CursorLost, FeedCursor, Lost, NoCursor
from domain.ids import WorkItemId
from tests.support.builders import CRAWL, a_new_item, an_id, enqueued
from tests.support.house import House
from tests.support.reading import page_of

SHAPE: Final = re.compile(r"[0-9A-Za-z._-]{1,120}")
A_WEEK: Final = timedelta(days=7)

NO_CURSORS: Final = {
    "nothing": "",
    "a word": "x",
    "a number": "17",
    "another epoch's shape": "00000000",
    "spaces": " ",
    "ten kilobytes": "1" * 10_000,
    "ten kilobytes after an epoch": "00000000." + "1" * 10_000,
    "digits of another script": "00000000.\u0661\u0662",
    "a newline": "00000000.1\n",
    "NUL": "00000000.1\0",
    "a minus": "00000000.-1",
    "SQL": "00000000.1'; DROP TABLE work_items; --",
    "an epoch of another script": "\u0661" * 8 + ".1",
}


class CursorContract:
    """A cursor that is of no use is said to be so: never an error, and never silence."""

    async def test_cursors_are_short_plain_texts(self, house: House) -> None:
        await enqueued(house.store)
        page, here = await page_of(house.store, limit=1), await house.feed.here()
        answer = await house.feed.since(here, limit=1)

        assert isinstance(answer, Changes)
        for cursor in (here, page.cursor, answer.cursor):
            assert SHAPE.fullmatch(cursor)

    @pytest.mark.parametrize("text", NO_CURSORS.values(), ids=NO_CURSORS)
    async def test_garbage_is_no_cursor(self, house: House, text: str) -> None:
        assert await house.feed.since(FeedCursor(text), limit=10) == NoCursor()

    async def test_a_cursor_of_another_epoch_is_lost(self, house: House) -> None:
        here = await house.feed.here()
        foreign = FeedCursor(f"00000000{here[8:]}")

        answer = await house.feed.since(foreign, limit=10)

        assert isinstance(answer, CursorLost)
        assert answer.why is Lost.EPOCH

    async def test_a_cursor_from_the_future_is_invalid(self, house: House) -> None:
        epoch, *numbers = (await house.feed.here()).split(".")
        future = ".".join([epoch, *("9" * 18 for _ in numbers[:2])])

        answer = await house.feed.since(FeedCursor(future), limit=10)

        assert isinstance(answer, CursorLost)
        assert answer.why is Lost.INVALID

    async def test_who_lost_their_cursor_goes_on_from_the_one_they_are_given(self, house: House) -> None:
        await enqueued(house.store)
        here = await house.feed.here()
        answer = await house.feed.since(FeedCursor(f"00000000{here[8:]}"), limit=10)
        assert isinstance(answer, CursorLost)
        new = await enqueued(house.store)

        changes = await house.feed.since(answer.cursor, limit=10)

        assert isinstance(changes, Changes)
        assert [item.id for item in changes.items] == [new]

    async def test_a_cursor_older_than_what_is_known_of_the_gone_has_expired(self, house: House) -> None:
        before = await house.feed.here()
        await self._gone(house)
        await house.age(A_WEEK)
        between = await house.feed.here()
        assert await house.store.purge_tombstones(older_than=timedelta(days=1), limit=10) == 1
        after = await house.feed.here()

        expired = await house.feed.since(before, limit=10)

        assert isinstance(expired, CursorLost)
        assert expired.why is Lost.EXPIRED
        for cursor in (between, after):
            assert isinstance(await house.feed.since(cursor, limit=10), Changes)

    async def test_tombstones_that_are_not_old_enough_stay(self, house: House) -> None:
        before = await house.feed.here()
        gone = await self._gone(house)

        assert await house.store.purge_tombstones(older_than=timedelta(days=1), limit=10) == 0

        answer = await house.feed.since(before, limit=10)
        assert isinstance(answer, Changes)
        assert answer.removed == (gone,)

    async def test_tombstones_are_purged_in_batches_the_oldest_first(self, house: House) -> None:
        for _ in range(3):
            await self._gone(house)
        first_three = await house.feed.here()
        last = await self._gone(house)
        await house.age(A_WEEK)
        purges = [
            await house.store.purge_tombstones(older_than=timedelta(days=1), limit=limit) for limit in (2, 1)
        ]
        answer = await house.feed.since(first_three, limit=10)

        assert purges == [2, 1]
        assert isinstance(answer, Changes)
        # Ageing writes every row, and so tells of those that are left; of the gone it tells the last.
        assert answer.removed == (last,)
        assert await house.store.purge_tombstones(older_than=timedelta(days=1), limit=10) == 1
        assert await house.store.purge_tombstones(older_than=timedelta(days=1), limit=10) == 0

    async def test_a_look_whose_gone_are_forgotten_cannot_be_read_on(self, house: House) -> None:
        before = await house.feed.here()
        for _ in range(3):
            await self._gone(house)
        first = await house.feed.since(before, limit=1)
        assert isinstance(first, Changes)
        assert first.rest is not None
        await house.age(A_WEEK)
        await house.store.purge_tombstones(older_than=timedelta(days=1), limit=10)

        with pytest.raises(StoreUnavailable, match="begin again from its cursor"):
            await house.feed.rest(first.rest, limit=10)

    async def _gone(self, house: House) -> WorkItemId:
        config = await house.a_config()
        item = await enqueued(house.store, a_new_item(id=an_id(), kind=CRAWL, storage_config_id=config))
        await house.storage_configs.remove(config)
        return item
