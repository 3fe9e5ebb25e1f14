"""What waiting items wait for, as the web API tells it, whatever store is behind it."""

from datetime import timedelta

from application.ports.presence import Presences
from domain.ids import UserId, WorkerName
from domain.presence import WorkerPresence
from domain.scope import AllScopes, Scope, UserScope
from tests.support.builders import a_claim, a_new_item, claimed, enqueued
from tests.support.house import House
from tests.support.moves import Arranged
from tests.support.web import ITEMS, WebClient


async def a_worker(presences: Presences, scope: Scope) -> None:
    """One that lives now."""
    name = "all" if isinstance(scope, AllScopes) else str(scope.user_id)
    await presences.seen(WorkerPresence(WorkerName(f"{name}@nas#1"), scope, "0.1.0", 1))


async def reasons(web: WebClient) -> dict[str, str | None]:
    """Why each item of the list waits; the detail says the same."""
    told = {item["id"]: item["waitReason"] for item in (await web.json(ITEMS))["items"]}
    for item, reason in told.items():
        assert (await web.json(f"{ITEMS}/{item}"))["waitReason"] == reason
    return told


class WebWaiting:
    async def test_the_oldest_is_next_and_the_others_are_behind_it(
        self, house: House, web: WebClient, presences: Presences
    ) -> None:
        await a_worker(presences, AllScopes())
        config = await house.a_config()
        first = await enqueued(house.store, a_new_item(kind="crawl", storage_config_id=config))
        second = await enqueued(house.store, a_new_item(kind="token-cleanup"))
        third = await enqueued(house.store, a_new_item(kind="crawl", storage_config_id=config))

        waiting = await reasons(web)
        await claimed(house.store, a_claim())
        later = await reasons(web)

        assert waiting == {str(first): "next", str(second): "behind", str(third): "behind"}
        assert later == {str(first): None, str(second): "next", str(third): "behind"}

    async def test_without_a_worker_that_serves_it_nothing_comes_next(
        self, house: House, web: WebClient, presences: Presences
    ) -> None:
        ada, bob = await house.a_user(), await house.a_user()
        of_ada = await enqueued(
            house.store, a_new_item(kind="crawl", storage_config_id=await house.a_config(of=ada))
        )
        of_bob = await enqueued(
            house.store, a_new_item(kind="crawl", storage_config_id=await house.a_config(of=bob))
        )
        of_nobody = await enqueued(house.store, a_new_item(kind="token-cleanup"))

        nobody_works = await reasons(web)
        await a_worker(presences, UserScope(bob))
        bob_works = await reasons(web)
        await a_worker(presences, UserScope(ada))
        both_work = await reasons(web)
        await house.age(timedelta(seconds=60))
        both_are_silent = await reasons(web)

        all_of_them = (str(of_ada), str(of_bob), str(of_nobody))
        assert nobody_works == both_are_silent == dict.fromkeys(all_of_them, "no-worker")
        assert bob_works == dict(zip(all_of_them, ("no-worker", "next", "behind"), strict=True))
        assert both_work == dict(zip(all_of_them, ("next", "next", "behind"), strict=True))

    async def test_a_config_that_is_off_is_served_by_workers_for_all_only(
        self, house: House, web: WebClient, presences: Presences
    ) -> None:
        ada = await house.a_user()
        config = await house.a_config(of=ada)
        item = await enqueued(house.store, a_new_item(kind="crawl", storage_config_id=config))
        await house.pokes.deactivate(config)
        await a_worker(presences, UserScope(ada))

        by_ada = await reasons(web)
        await a_worker(presences, AllScopes())
        by_all = await reasons(web)

        assert (by_ada, by_all) == ({str(item): "no-worker"}, {str(item): "next"})

    async def test_what_is_tried_again_later_stands_in_nobodys_way_until_then(
        self, house: House, web: WebClient, presences: Presences
    ) -> None:
        await a_worker(presences, AllScopes())
        retried = await Arranged(house).retrying()
        other = await enqueued(house.store, a_new_item(kind="token-cleanup"))

        before = await reasons(web)
        await house.age(timedelta(hours=1))
        await a_worker(presences, AllScopes())
        after = await reasons(web)

        assert before == {str(retried.id): "retry-at", str(other): "next"}
        assert after == {str(retried.id): "next", str(other): "behind"}

    async def test_who_knows_an_item_is_told_when_it_waits_for_something_else(
        self, house: House, web: WebClient, presences: Presences
    ) -> None:
        first, second = await enqueued(house.store), await enqueued(house.store)
        await a_worker(presences, AllScopes())
        known = (await web.get(f"{ITEMS}/{second}")).headers["ETag"]

        still = await web.get(f"{ITEMS}/{second}", headers={"If-None-Match": known})
        await house.store.cancel(first)
        then = await web.get(f"{ITEMS}/{second}", headers={"If-None-Match": known})

        assert (known, still.status_code) == ('"1-behind"', 304)
        assert (then.status_code, then.headers["ETag"]) == (200, '"1-next"')

    async def test_what_does_not_wait_has_no_reason_to(
        self, house: House, web: WebClient, presences: Presences
    ) -> None:
        await a_worker(presences, AllScopes())
        arranged = Arranged(house)
        await arranged.running()
        await arranged.succeeded()
        await arranged.cancelled()

        assert set((await reasons(web)).values()) == {None}

    async def test_answers_to_requests_say_it_too(
        self, house: House, web: WebClient, presences: Presences
    ) -> None:
        await a_worker(presences, UserScope(UserId(web.admin)))
        config = str(await house.a_config(of=web.admin))

        asked = await web.send(f"{ITEMS}/crawls", {"storageConfigId": config})
        again = await web.send(f"{ITEMS}/crawls", {"storageConfigId": config})

        assert (asked.json()["waitReason"], again.json()["waitReason"]) == ("next", "next")
