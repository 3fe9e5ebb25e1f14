"""What every store promises about lists and counts."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest

from domain.feed import Epoch
from domain.ids import KindName, WorkItemId
from domain.outcomes import UnknownItem
from domain.page import EVERYTHING, Filter, PlaceLost, Schedule
from domain.work_item import Status, WorkItem
from tests.support.builders import (
    CLEANUP,
    CRAWL,
    a_new_item,
    an_id,
    claimed,
    enqueued,
)
from tests.support.house import House
from tests.support.moves import Arranged
from tests.support.reading import nearly, now_in, page_of, stored

A_SECOND: Final = timedelta(seconds=1)


class PageContract:
    """Lists come newest change first, and their pages lose and repeat nothing."""

    async def test_an_unknown_item_is_said_to_be_unknown(self, house: House) -> None:
        assert await house.store.get(an_id()) == UnknownItem()

    async def test_an_empty_list_is_one_empty_page(self, house: House) -> None:
        page = await page_of(house.store, EVERYTHING, limit=10)

        assert (page.items, page.next) == ((), None)

    async def test_the_newest_change_comes_first(self, house: House) -> None:
        first = await enqueued(house.store)
        await house.age(A_SECOND)
        second = await enqueued(house.store)
        await house.age(A_SECOND)
        changed = await claimed(house.store)
        assert changed.id == first

        page = await page_of(house.store, EVERYTHING, limit=10)

        assert [item.id for item in page.items] == [first, second]
        assert page.items[0] == changed
        assert nearly(page.as_of - changed.updated_at, timedelta())

    @pytest.mark.parametrize("limit", [1, 2, 3, 7, 8])
    async def test_pages_lose_and_repeat_nothing(self, house: House, limit: int) -> None:
        items = [await enqueued(house.store) for _ in range(3)]
        now = await now_in(house.store)
        for _ in range(4):
            new = a_new_item()
            await house.pokes.put(new.queued_at(now))
            items.append(new.id)

        pages = await pages_of(house, EVERYTHING, limit=limit)

        listed = [item.id for page in pages for item in page]
        assert sorted(listed) == sorted(items)
        assert {len(page) for page in pages[:-1]} <= {limit}
        assert len(pages) == -(-7 // limit)

    async def test_items_of_one_instant_are_listed_in_the_order_of_their_changes(self, house: House) -> None:
        now = await now_in(house.store)
        news = [a_new_item() for _ in range(3)]
        for new in (news[1], news[2], news[0]):
            await house.pokes.put(new.queued_at(now))

        pages = await pages_of(house, EVERYTHING, limit=1)

        assert [item.id for page in pages for item in page] == [news[0].id, news[2].id, news[1].id]

    async def test_what_changes_between_two_pages_hides_nothing_else(self, house: House) -> None:
        oldest, middle, newest = [await enqueued_later(house) for _ in range(3)]

        first = await page_of(house.store, EVERYTHING, limit=1)
        await house.store.cancel(newest)
        second = await page_of(house.store, EVERYTHING, limit=5, after=first.next)

        assert [item.id for item in first.items] == [newest]
        assert [item.id for item in second.items] == [middle, oldest]

    async def test_a_page_may_start_after_an_item_that_is_gone(self, house: House) -> None:
        older, gone = await enqueued_later(house), await enqueued_later(house)
        cursor = (await page_of(house.store, limit=1)).next
        await house.store.cancel(gone)
        await house.store.purge(older_than=timedelta(), limit=1)

        page = await page_of(house.store, limit=5, after=cursor)

        assert [item.id for item in page.items] == [older]

    async def test_a_place_of_other_numbers_is_lost(self, house: House) -> None:
        await enqueued(house.store)
        await enqueued(house.store)
        cursor = (await page_of(house.store, limit=1)).next
        assert cursor is not None

        lost = await house.store.page(EVERYTHING, limit=1, after=replace(cursor, epoch=Epoch("00000000")))

        assert lost == PlaceLost()

    async def test_a_list_shows_what_its_filter_asks_for(self, house: House) -> None:
        config, other_config = await house.a_config(), await house.a_config()
        unknown = await enqueued(house.store, a_new_item(kind="from-the-future"))
        crawl = await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=config))
        await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=other_config))
        cleanup = await enqueued(house.store, a_new_item(kind=CLEANUP))
        await house.store.cancel(cleanup)
        running = await claimed(house.store)
        assert running.id == crawl

        async def shown(which: Filter) -> set[WorkItemId]:
            return {item.id for page in await pages_of(house, which, limit=1) for item in page}

        assert len(await shown(EVERYTHING)) == 4
        assert await shown(Filter(statuses=frozenset({Status.RUNNING, Status.CANCELLED}))) == {crawl, cleanup}
        assert await shown(Filter(statuses=frozenset({Status.FAILED}))) == set()
        assert await shown(Filter(kinds=frozenset({KindName("from-the-future")}))) == {unknown}
        assert await shown(Filter(kinds=frozenset({KindName("from-the-future"), CLEANUP}))) == {
            unknown,
            cleanup,
        }
        assert await shown(Filter(storage_config_id=config)) == {crawl}
        assert (
            await shown(
                Filter(
                    statuses=frozenset({Status.QUEUED}), kinds=frozenset({CRAWL}), storage_config_id=config
                )
            )
            == set()
        )

    async def test_a_list_shows_what_somebody_asked_for(self, house: House) -> None:
        user = await house.a_user()
        asked = await enqueued(house.store, a_new_item(requested_by=user))
        due = await enqueued(house.store)

        async def shown(which: Filter) -> list[WorkItemId]:
            return [item.id for item in (await page_of(house.store, which, limit=5)).items]

        assert await shown(Filter(requested_by=user)) == [asked]
        assert await shown(Filter(requested_by=Schedule())) == [due]
        assert await shown(Filter(requested_by=await house.a_user())) == []


class CountContract:
    """How many there are of each kind and status."""

    async def test_nothing_counts_nothing(self, house: House) -> None:
        counts = await house.store.counts()

        assert (dict(counts.by_kind), counts.oldest_waiting_at) == ({}, None)

    async def test_each_kind_and_status_is_counted(self, house: House) -> None:
        await Arranged(house).succeeded()
        await Arranged(house).succeeded()
        await Arranged(house).stopped()
        await Arranged(house).running()
        await enqueued(house.store, a_new_item(kind="from-the-future"))
        await enqueued(house.store, a_new_item(kind=CRAWL))
        await enqueued(house.store, a_new_item(kind=CRAWL))

        counts = await house.store.counts()

        assert {kind: dict(by_status) for kind, by_status in counts.by_kind.items()} == {
            CLEANUP: {Status.SUCCEEDED: 2, Status.CANCELLED: 1, Status.RUNNING: 1},
            "from-the-future": {Status.QUEUED: 1},
            CRAWL: {Status.QUEUED: 2},
        }

    async def test_the_oldest_that_waits_is_told(self, house: House) -> None:
        await Arranged(house).running()
        await house.age(A_SECOND)
        oldest = await enqueued_later(house)
        await enqueued_later(house)

        counts = await house.store.counts()

        assert counts.oldest_waiting_at == (await stored(house.store, oldest)).requested_at
        assert nearly(counts.as_of - (await stored(house.store, oldest)).requested_at, 2 * A_SECOND)

    async def test_the_oldest_that_waits_may_be_of_any_scope_or_wait_for_an_instant(
        self, house: House
    ) -> None:
        retrying = await Arranged(house).retrying()
        for config in (await house.a_config(), await house.a_config(), None):
            await house.age(A_SECOND)
            await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=config))
        later, second, third, last = sorted(
            (await page_of(house.store, limit=9)).items, key=lambda item: item.requested_at
        )
        assert later.id == retrying.id

        for item, next_one in ((later, second), (second, third), (third, last)):
            assert (await house.store.counts()).oldest_waiting_at == item.requested_at
            await house.store.cancel(item.id)
            assert (await house.store.counts()).oldest_waiting_at == next_one.requested_at


async def pages_of(house: House, which: Filter, *, limit: int) -> list[tuple[WorkItem, ...]]:
    """All pages of a list."""
    page = await page_of(house.store, which, limit=limit)
    pages = [page.items]
    while page.next is not None:
        page = await page_of(house.store, which, limit=limit, after=page.next)
        pages.append(page.items)
    return pages


async def enqueued_later(house: House) -> WorkItemId:
    """A waiting item, a second younger than what was there before."""
    await house.age(A_SECOND)
    return await enqueued(house.store)
