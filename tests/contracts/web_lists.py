"""How the web API lists work items, whatever store is behind it."""

from dataclasses import replace
from datetime import timedelta

from adapters.web.views.page_cursors import cursor_text
from domain.feed import Changes, Epoch, FeedCursor
from domain.page import EVERYTHING, Page
from domain.work_item import NewWorkItem
from tests.support.builders import (
    a_new_item,
    an_id,
    enqueued,
)
from tests.support.house import House
from tests.support.moves import Arranged
from tests.support.reading import now_in
from tests.support.web import (
    ITEMS,
    Json,
    WebClient,
    problem_of,
)


def ids_of(page: Json) -> list[str]:
    return [item["id"] for item in page["items"]]


class WebLists:
    async def test_a_list_shows_the_newest_change_first(self, house: House, web: WebClient) -> None:
        first, second = await enqueued(house.store), await enqueued(house.store)
        await house.age(timedelta(seconds=1))
        await house.store.cancel(first)

        page = await web.json(ITEMS)

        assert ids_of(page) == [str(first), str(second)]
        assert [item["status"] for item in page["items"]] == ["cancelled", "queued"]
        assert page["nextCursor"] is None
        assert page["serverTime"].endswith("Z")

    async def test_a_list_is_filtered_by_any_of_several_statuses(self, house: House, web: WebClient) -> None:
        arranged = Arranged(house)
        failed = await arranged.failed()
        cancelled = await arranged.cancelled()
        await arranged.queued()

        page = await web.json(f"{ITEMS}?status=failed&status=cancelled")

        assert set(ids_of(page)) == {str(failed.id), str(cancelled.id)}

    async def test_a_list_is_filtered_by_any_of_several_kinds_known_or_not(
        self, house: House, web: WebClient
    ) -> None:
        crawl = await enqueued(house.store, a_new_item(kind="crawl"))
        odd = await enqueued(house.store, a_new_item(kind="Kind of 2099 & more"))
        await enqueued(house.store, a_new_item(kind="token-cleanup"))

        page = await web.json(f"{ITEMS}?kind=crawl&kind=Kind+of+2099+%26+more")

        assert set(ids_of(page)) == {str(crawl), str(odd)}

    async def test_a_list_is_filtered_by_storage_config(self, house: House, web: WebClient) -> None:
        config = await house.a_config()
        own = await enqueued(house.store, a_new_item(storage_config_id=config))
        await enqueued(house.store, a_new_item(storage_config_id=await house.a_config()))

        page = await web.json(f"{ITEMS}?storageConfigId={str(config).upper()}")

        assert ids_of(page) == [str(own)]
        assert page["items"][0]["storageConfigId"] == str(config)

    async def test_a_list_is_filtered_by_who_asked(self, house: House, web: WebClient) -> None:
        config = await house.a_config()
        asked = (await web.send(f"{ITEMS}/crawls", {"storageConfigId": str(config)})).json()["id"]
        due = await enqueued(house.store, a_new_item(kind="token-cleanup"))

        assert ids_of(await web.json(f"{ITEMS}?requestedBy={str(web.admin).upper()}")) == [asked]
        assert ids_of(await web.json(f"{ITEMS}?requestedBy=schedule")) == [str(due)]
        assert ids_of(await web.json(f"{ITEMS}?requestedBy={an_id()}")) == []

    async def test_each_filter_leads_on_by_its_link(self, house: House, web: WebClient) -> None:
        config = await house.a_config()
        for _ in range(3):
            await enqueued(house.store, a_new_item(kind="crawl", storage_config_id=config))

        for which in (f"storageConfigId={config}", "requestedBy=schedule", "status=queued&kind=crawl"):
            first = await web.get(f"{ITEMS}?{which}&limit=2")
            link = first.headers["Link"]
            second = await web.get(f"{ITEMS}{link[1 : link.index('>')]}")
            assert len({*ids_of(first.json()), *ids_of(second.json())}) == 3

    async def test_a_stream_that_begins_at_the_event_cursor_misses_nothing(
        self, house: House, web: WebClient
    ) -> None:
        await enqueued(house.store)
        cursor = FeedCursor((await web.json(ITEMS))["eventCursor"])
        since = await enqueued(house.store)

        changes = await house.feed.since(cursor, limit=10)

        assert isinstance(changes, Changes)
        assert [item.id for item in changes.items] == [since]

    async def test_pages_hold_everything_once_also_where_many_changed_at_one_instant(
        self, house: House, web: WebClient
    ) -> None:
        now = await now_in(house.store)
        everything = [replace(a_new_item().queued_at(now), updated_at=now) for _ in range(7)]
        for item in everything:
            await house.pokes.put(item)

        seen = await walked(web, f"{ITEMS}?limit=2")

        assert seen == sorted((str(item.id) for item in everything), reverse=True)

    async def test_paging_loses_and_repeats_nothing_while_items_change(
        self, house: House, web: WebClient
    ) -> None:
        everything = [await self.an_older_item(house) for _ in range(12)]
        changing = [everything[1], everything[4], everything[11]]
        seen: list[str] = []

        page = await web.json(f"{ITEMS}?limit=3")
        while True:
            seen += ids_of(page)
            if changing:
                await house.store.cancel(changing.pop(0).id)
                await enqueued(house.store)
            if page["nextCursor"] is None:
                break
            page = await web.json(f"{ITEMS}?limit=3&cursor={page['nextCursor']}")

        top = ids_of(await web.json(f"{ITEMS}?limit=6"))
        assert len(seen) == len(set(seen))
        assert {str(item.id) for item in everything} <= {*seen, *top}
        assert {str(item.id) for item in everything} - set(seen) == {
            str(everything[1].id),
            str(everything[4].id),
        }

    async def test_the_link_header_leads_to_the_next_page_of_the_same_list(
        self, house: House, web: WebClient
    ) -> None:
        for _ in range(3):
            await enqueued(house.store, a_new_item(kind="crawl & more"))
        await enqueued(house.store, a_new_item(kind="token-cleanup"))

        first = await web.get(f"{ITEMS}?kind=crawl+%26+more&status=queued&limit=2")
        link = first.headers["Link"]
        second = await web.get(f"{ITEMS}{link[1 : link.index('>')]}")

        assert link.endswith('; rel="next"')
        assert len({*ids_of(first.json()), *ids_of(second.json())}) == 3
        assert "Link" not in second.headers

    async def test_a_cursor_of_another_epoch_is_refused_and_one_of_the_future_is_harmless(
        self, house: House, web: WebClient
    ) -> None:
        everything = {str(await enqueued(house.store)) for _ in range(2)}
        page = await house.store.page(EVERYTHING, limit=1)
        assert isinstance(page, Page)
        assert page.next is not None
        foreign = replace(page.next, epoch=Epoch("0" * 8))
        future = replace(page.next, position=2**63 - 1)

        refused = await web.get(f"{ITEMS}?cursor={cursor_text(foreign, EVERYTHING)}")
        seen = await web.json(f"{ITEMS}?cursor={cursor_text(future, EVERYTHING)}")

        problem_of(refused, 400, "invalid-cursor")
        assert set(ids_of(seen)) == everything

    async def test_a_cursor_holds_for_its_own_filter_only(self, house: House, web: WebClient) -> None:
        await enqueued(house.store)
        await enqueued(house.store)
        cursor = (await web.json(f"{ITEMS}?limit=1"))["nextCursor"]

        problem_of(await web.get(f"{ITEMS}?status=queued&cursor={cursor}"), 400, "invalid-cursor")

    async def an_older_item(self, house: House) -> NewWorkItem:
        new = a_new_item()
        await enqueued(house.store, new)
        await house.age(timedelta(seconds=1))
        return new


async def walked(web: WebClient, path: str) -> list[str]:
    """The ids of all pages, in their order."""
    page = await web.json(path)
    seen = ids_of(page)
    while page["nextCursor"] is not None:
        page = await web.json(f"{path}&cursor={page['nextCursor']}")
        seen += ids_of(page)
    return seen
