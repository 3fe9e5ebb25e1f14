"""What the web API promises, whatever store is behind it."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from application.ports.presence import Presences
from domain.ids import WorkerName
from domain.presence import WorkerPresence
from domain.progress import Progress
from domain.scope import AllScopes, UserScope
from tests.contracts.web_access import WebAccess
from tests.contracts.web_asking import WebAsking
from tests.contracts.web_configs import WebConfigs
from tests.contracts.web_lists import WebLists
from tests.contracts.web_sessions import WebSessions
from tests.contracts.web_sweeps import WebSweeps
from tests.contracts.web_waiting import WebWaiting
from tests.support.builders import (
    a_claim,
    a_heartbeat,
    a_new_item,
    an_id,
    claimed,
    enqueued,
)
from tests.support.house import House
from tests.support.moves import Arranged, stalled
from tests.support.web import (
    BOUNDS,
    ITEMS,
    WORKERS,
    Json,
    WebClient,
    WebPorts,
    a_web_client,
    ports_of,
    problem_of,
)


class WebDetails:
    async def test_the_detail_shows_payload_and_the_history_of_runs(
        self, house: House, web: WebClient
    ) -> None:
        new = a_new_item(kind="crawl", payload='{"verify": true, "big": 9007199254740993}')
        await enqueued(house.store, new)
        await stalled(house, await claimed(house.store))
        second = await claimed(house.store)
        await house.store.heartbeat(
            second.id, a_heartbeat(second.attempt, progress=Progress(1204, 3900, "12 failed"))
        )

        response = await web.get(f"{ITEMS}/{new.id}")

        item = response.json()
        assert item["status"] == "running"
        assert (item["attempt"], item["stalls"], item["stallLimit"]) == (2, 1, 3)
        assert item["progress"] == {"done": 1204, "total": 3900, "note": "12 failed"}
        assert item["payload"] == {"verify": True, "big": 9007199254740993}
        assert [(run["attempt"], run["claimedBy"], run["how"]) for run in item["attempts"]] == [
            (1, "worker-ada", "stalled")
        ]

    async def test_the_entity_tag_is_the_revision_and_saves_the_body(
        self, house: House, web: WebClient
    ) -> None:
        item = (await Arranged(house).running()).id
        path = f"{ITEMS}/{item}"
        fresh = await web.get(path)
        tag = fresh.headers["ETag"]

        for known in (tag, f"W/{tag}", f'"x", {tag}', "*"):
            same = await web.get(path, headers={"If-None-Match": known})
            assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", tag)
        await house.store.cancel(item)
        changed = await web.get(path, headers={"If-None-Match": tag})

        assert tag == f'"{fresh.json()["revision"]}"'
        assert changed.status_code == 200
        assert changed.headers["ETag"] != tag

    async def test_an_unknown_item_is_not_found(self, web: WebClient) -> None:
        for text in (str(an_id()), "nonsense", str(an_id())[:-1], "%00", "0" * 4000):
            problem_of(await web.get(f"{ITEMS}/{text}"), 404, "work-item-not-found")


class WebCancels:
    async def test_cancelling_a_waiting_item_is_done_at_once(self, house: House, web: WebClient) -> None:
        item = await enqueued(house.store)

        response = await web.post(f"{ITEMS}/{item}/cancel")

        assert response.status_code == 200
        assert response.json()["status"] == "cancelled"
        assert (await web.json(f"{ITEMS}/{item}"))["status"] == "cancelled"

    async def test_cancelling_a_running_item_is_a_request_and_asking_again_changes_nothing(
        self, house: House, web: WebClient
    ) -> None:
        item = await Arranged(house).running()

        first = await web.post(f"{ITEMS}/{item.id}/cancel")
        second = await web.post(f"{ITEMS}/{item.id}/cancel")

        assert (first.status_code, second.status_code) == (202, 202)
        assert first.json()["status"] == "running"
        assert first.json()["cancelRequestedAt"] is not None
        assert first.json() == second.json()

    async def test_cancelling_a_finished_item_is_a_conflict_that_shows_it(
        self, house: House, web: WebClient
    ) -> None:
        item = await Arranged(house).succeeded()

        problem = problem_of(await web.post(f"{ITEMS}/{item.id}/cancel"), 409, "work-item-finished")

        assert problem["item"] == await self.listed(web)
        assert problem["finishedAt"] == problem["item"]["finishedAt"]
        assert problem["item"]["status"] == "succeeded"

    async def test_cancelling_an_unknown_item_is_not_found(self, web: WebClient) -> None:
        problem_of(await web.post(f"{ITEMS}/{an_id()}/cancel"), 404, "work-item-not-found")

    async def listed(self, web: WebClient) -> Json:
        item: Json = (await web.json(ITEMS))["items"][0]
        return item


class WebOverviews:
    async def test_counts_name_every_status_of_every_kind(self, house: House, web: WebClient) -> None:
        await enqueued(house.store, a_new_item(kind="crawl"))
        await claimed(house.store, a_claim())
        await enqueued(house.store, a_new_item(kind="crawl"))
        await enqueued(house.store, a_new_item(kind="odd kind"))

        response = await web.get(f"{ITEMS}/counts")

        nothing = {"queued": 0, "running": 0, "succeeded": 0, "failed": 0, "cancelled": 0}
        counts = response.json()
        assert counts["byStatus"] == {**nothing, "queued": 2, "running": 1}
        assert counts["byKind"] == {
            "crawl": {**nothing, "queued": 1, "running": 1},
            "odd kind": {**nothing, "queued": 1},
        }
        assert counts["oldestWaitingAt"] <= counts["asOf"]
        assert response.headers["Cache-Control"] == "private, max-age=2"

    async def test_counts_of_nothing_are_zeros(self, web: WebClient) -> None:
        counts = await web.json(f"{ITEMS}/counts")

        assert set(counts["byStatus"].values()) == {0}
        assert (counts["byKind"], counts["oldestWaitingAt"], counts["workersOnline"]) == ({}, None, 0)

    async def test_workers_are_shown_for_a_day_and_counted_for_a_minute(
        self, house: House, web: WebClient, presences: Presences
    ) -> None:
        await presences.seen(WorkerPresence(WorkerName("all@nas#1"), AllScopes(), "0.1.0", 2))
        await house.age(timedelta(seconds=61))
        scope = UserScope(web.admin)
        await presences.seen(WorkerPresence(WorkerName("ada@nas#2"), scope, "0.1.0", 1))

        workers = await web.json(WORKERS)
        counts = await web.json(f"{ITEMS}/counts")

        assert [(one["name"], one["userId"], one["slots"]) for one in workers["items"]] == [
            ("ada@nas#2", str(web.admin), 1),
            ("all@nas#1", None, 2),
        ]
        assert workers["items"][0]["lastSeenAt"] > workers["items"][1]["lastSeenAt"]
        assert counts["workersOnline"] == 1


class WebApiContract(
    WebLists,
    WebDetails,
    WebCancels,
    WebAsking,
    WebConfigs,
    WebOverviews,
    WebWaiting,
    WebAccess,
    WebSessions,
    WebSweeps,
):
    """All of it. A subclass supplies `house`."""

    @pytest.fixture
    def ports(self, house: House) -> WebPorts:
        return ports_of(house)

    @pytest.fixture
    def presences(self, ports: WebPorts) -> Presences:
        return ports.presences

    @pytest.fixture
    async def web(self, ports: WebPorts) -> AsyncIterator[WebClient]:
        async with a_web_client(ports, bounds=BOUNDS) as client:
            yield client
