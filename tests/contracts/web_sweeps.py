"""How proxies are swept and deleted by the web API, whatever store is behind it."""

import pytest

from domain.ids import StorageConfigId
from domain.media.proxy_finding import FindingKind
from domain.work_item import WorkItem
from tests.support.builders import a_claim, a_failure, an_id, claimed, enqueued
from tests.support.house import House
from tests.support.sweeping import SWEEP, Sweeping, a_finding, sweeping_over
from tests.support.web import ITEMS, Json, WebClient, bearing, problem_of, signed_as, somebody

SWEEPS = f"{ITEMS}/proxy-sweeps"
DELETIONS = f"{ITEMS}/proxy-deletions"
KEY = {"Idempotency-Key": '"c0ffee-1"'}

ORPHAN, LEFTOVER, MISSING = FindingKind


def findings_of(sweep: WorkItem, query: str = "") -> str:
    """Where the findings of a sweep are."""
    return f"{ITEMS}/{sweep.id}/orphans{query}"


class WithSweeping:
    @pytest.fixture
    def sweeping(self, house: House) -> Sweeping:
        return sweeping_over(house)


class WebSweepsAskedFor:
    async def test_a_sweep_that_is_asked_for_waits_and_is_where_the_answer_says(self, web: WebClient) -> None:
        response = await web.send(SWEEPS, {})

        item = response.json()
        assert response.status_code == 202
        assert response.headers["Location"] == f"{ITEMS}/{item['id']}"
        assert (item["kind"], item["status"], item["storageConfigId"]) == ("proxy-sweep", "queued", None)
        assert item["requestedBy"] == str(web.admin)

    async def test_of_sweeps_that_wait_there_is_one_however_often_it_is_asked_for(
        self, house: House, web: WebClient
    ) -> None:
        first = await web.post(SWEEPS)
        again = await web.send(SWEEPS, {})
        await claimed(house.store, a_claim(kinds=SWEEP))
        while_it_runs = await web.post(SWEEPS)

        assert [first.status_code, again.status_code, while_it_runs.status_code] == [202, 200, 202]
        assert again.json()["id"] == first.json()["id"] != while_it_runs.json()["id"]
        assert "Location" not in again.headers


class WebFindings(WithSweeping):
    async def test_findings_come_page_by_page_in_the_order_in_which_they_were_found(
        self, house: House, web: WebClient, sweeping: Sweeping
    ) -> None:
        config = await house.a_config()
        found = [a_finding(number, owner=config) for number in (1, 2, 10, 11, 12)]
        sweep = await sweeping.swept(*found)

        first = await web.get(findings_of(sweep, "?limit=2"))
        second = await web.get(f"{ITEMS}/{sweep.id}/orphans{link_of(first.headers['Link'])}")
        last = await web.json(findings_of(sweep, f"?limit=2&cursor={second.json()['nextCursor']}"))

        pages = [first.json(), second.json(), last]
        assert [[one["id"] for one in page["items"]] for page in pages] == [["1", "2"], ["10", "11"], ["12"]]
        assert (last["nextCursor"], last["partial"], last["status"]) == (None, False, "succeeded")
        assert first.json()["items"][0] == {
            "id": "1",
            "what": "orphan-file",
            "path": found[0].path,
            "size": 1000,
            "modifiedAt": "2025-02-01T08:30:00.000Z",
            "storageConfigId": str(config),
        }

    async def test_findings_of_some_kinds_are_found_by_a_filter_that_the_cursor_holds_to(
        self, web: WebClient, sweeping: Sweeping
    ) -> None:
        kinds = [ORPHAN, LEFTOVER, MISSING, LEFTOVER, MISSING]
        sweep = await sweeping.swept(*(a_finding(at, what=what) for at, what in enumerate(kinds, 1)))
        other = await sweeping.swept(a_finding(1))
        chosen = "?what=temporary-leftover&what=missing-file&limit=3"

        first = await web.get(findings_of(sweep, chosen))
        link = link_of(first.headers["Link"])
        rest = await web.json(findings_of(sweep, link))

        assert [one["id"] for one in first.json()["items"]] == ["2", "3", "4"]
        assert first.json()["items"][1]["modifiedAt"] is None
        assert [(one["id"], one["what"]) for one in rest["items"]] == [("5", "missing-file")]
        cursor = first.json()["nextCursor"]
        for path in (findings_of(sweep, f"?cursor={cursor}"), findings_of(other, link)):
            problem_of(await web.get(path), 400, "invalid-cursor")

    async def test_a_cancelled_sweep_shows_what_it_had_found_and_a_failed_one_nothing_but_how_it_ended(
        self, web: WebClient, sweeping: Sweeping
    ) -> None:
        stopped = await sweeping.stopped(a_finding(1))
        failed = await sweeping.swept(a_finding(1), end=a_failure)

        of_stopped, of_failed = await web.json(findings_of(stopped)), await web.json(findings_of(failed))

        assert ([one["id"] for one in of_stopped["items"]], of_stopped["partial"]) == (["1"], True)
        assert of_stopped["status"] == "cancelled"
        assert of_failed == {"items": [], "nextCursor": None, "partial": False, "status": "failed"}

    async def test_what_is_no_sweep_has_no_findings_and_one_that_runs_has_none_yet(
        self, house: House, web: WebClient, sweeping: Sweeping
    ) -> None:
        cleanup = await enqueued(house.store)
        running = await sweeping.running()

        for text in (str(cleanup), str(an_id()), "x"):
            problem_of(await web.get(f"{ITEMS}/{text}/orphans"), 404, "sweep-not-found")
        problem_of(await web.get(findings_of(running)), 409, "sweep-not-finished")


class WebDeletions(WithSweeping):
    @pytest.fixture
    async def config(self, house: House) -> StorageConfigId:
        return await house.a_config()

    @pytest.fixture
    async def sweep(self, sweeping: Sweeping, config: StorageConfigId) -> WorkItem:
        """Two files of a config, one of nobody, and a row without a file."""
        return await sweeping.swept(
            a_finding(1, owner=config),
            a_finding(2, owner=config, what=LEFTOVER),
            a_finding(3),
            a_finding(4, owner=config, what=MISSING),
        )

    async def test_chosen_files_become_an_item_for_each_owner_and_one_for_those_of_none(
        self, web: WebClient, sweep: WorkItem, config: StorageConfigId
    ) -> None:
        response = await web.send(DELETIONS, {"sweepId": str(sweep.id), "findingIds": ["3", "1", "1"]})

        items = response.json()["items"]
        assert response.status_code == 202
        assert response.headers["Location"] == f"{ITEMS}/{items[0]['id']}"
        assert {(one["kind"], one["status"]) for one in items} == {("proxy-deletion", "queued")}
        assert {one["requestedBy"] for one in items} == {str(web.admin)}
        asked = {one["storageConfigId"]: await self.payload(web, one) for one in items}
        assert {scope: payload["findings"] for scope, payload in asked.items()} == {
            str(config): [1],
            None: [3],
        }
        assert asked[str(config)]["sweepId"] == str(sweep.id)

    async def test_all_files_are_deleted_where_their_number_is_the_one_that_was_seen(
        self, web: WebClient, sweep: WorkItem
    ) -> None:
        everything = {"sweepId": str(sweep.id), "all": True}

        refused = await web.send(DELETIONS, {**everything, "files": 4})
        accepted = await web.send(DELETIONS, {**everything, "files": 3})

        problem = problem_of(refused, 422, "invalid-selection")
        assert problem["detail"] == "The sweep found 3 files that can be deleted, not 4."
        assert [fault["pointer"] for fault in problem["errors"]] == ["/files"]
        assert (accepted.status_code, len(accepted.json()["items"])) == (202, 2)

    @pytest.mark.parametrize("ids", [["4"], ["1", "5"]], ids=["a missing file", "nothing found"])
    async def test_what_cannot_be_deleted_cannot_be_chosen(
        self, web: WebClient, sweep: WorkItem, ids: list[str]
    ) -> None:
        response = await web.send(DELETIONS, {"sweepId": str(sweep.id), "findingIds": ids})

        (fault,) = problem_of(response, 422, "invalid-selection")["errors"]
        assert fault["pointer"] == "/findingIds"
        assert (await web.json(f"{ITEMS}?kind=proxy-deletion"))["items"] == []

    async def test_as_many_files_as_may_be_named_can_be_deleted_at_once(
        self, web: WebClient, sweeping: Sweeping
    ) -> None:
        config = StorageConfigId(an_id())
        numbers = range(900_000_001, 900_010_001)
        sweep = await sweeping.swept(*(a_finding(number, owner=config, path="-") for number in numbers))

        response = await web.send(
            DELETIONS, {"sweepId": str(sweep.id), "findingIds": [str(number) for number in numbers]}
        )

        assert response.status_code == 202, response.text
        payload = await self.payload(web, response.json()["items"][0])
        assert payload["findings"] == list(numbers)

    async def test_the_files_of_no_sweep_or_of_one_that_runs_cannot_be_deleted(
        self, house: House, web: WebClient, sweeping: Sweeping
    ) -> None:
        cleanup = await enqueued(house.store)
        running = await sweeping.running()

        for sweep in (cleanup, an_id()):
            response = await web.send(DELETIONS, {"sweepId": str(sweep), "findingIds": ["1"]})
            problem_of(response, 404, "sweep-not-found")
        response = await web.send(DELETIONS, {"sweepId": str(running.id), "findingIds": ["1"]})
        problem_of(response, 409, "sweep-not-finished")

    @pytest.mark.parametrize("choice", [{"findingIds": ["1"]}, {"all": True, "files": 1}], ids=["one", "all"])
    async def test_of_a_sweep_that_failed_nothing_can_be_chosen(
        self, web: WebClient, sweeping: Sweeping, choice: Json
    ) -> None:
        failed = await sweeping.swept(a_finding(1), end=a_failure)

        response = await web.send(DELETIONS, {"sweepId": str(failed.id), **choice})

        problem = problem_of(response, 422, "invalid-selection")
        why = "The sweep has failed or was broken off, so it has no findings."
        assert problem["errors"] == [{"pointer": "/sweepId", "detail": why}]

    async def payload(self, web: WebClient, item: Json) -> Json:
        payload: Json = (await web.json(f"{ITEMS}/{item['id']}"))["payload"]
        return payload


class WebDeletionsAgain(WebDeletions):
    async def test_sent_again_with_its_key_a_request_is_answered_by_what_came_of_it(
        self, web: WebClient, sweep: WorkItem
    ) -> None:
        first = await web.send(DELETIONS, chosen(sweep, "1", "3"), headers=KEY)

        bare = {"Idempotency-Key": "c0ffee-1"}
        body = f'{{"findingIds": ["3","1"],  "sweepId": "{str(sweep.id).upper()}"}}'.encode()
        again = await web.send(DELETIONS, body, headers=bare)

        assert (first.status_code, again.status_code) == (202, 200)
        assert again.json() == first.json()
        assert "Location" not in again.headers
        assert len((await web.json(f"{ITEMS}?kind=proxy-deletion"))["items"]) == 2

    async def test_a_key_is_for_one_request_of_one_user(
        self, house: House, web: WebClient, sweep: WorkItem
    ) -> None:
        await web.send(DELETIONS, chosen(sweep, "1"), headers=KEY)
        somebody_else = bearing(signed_as(await somebody(house.users, is_admin=True)))

        theirs = await web.send(DELETIONS, chosen(sweep, "1"), headers={**KEY, **somebody_else})
        for other in (chosen(sweep, "3"), {"sweepId": str(sweep.id), "all": True, "files": 3}):
            problem_of(await web.send(DELETIONS, other, headers=KEY), 422, "idempotency-key-reused")

        assert theirs.status_code == 202
        assert len((await web.json(f"{ITEMS}?kind=proxy-deletion"))["items"]) == 2

    async def test_without_a_key_every_request_is_a_new_one(self, web: WebClient, sweep: WorkItem) -> None:
        first = await web.send(DELETIONS, chosen(sweep, "1"))
        second = await web.send(DELETIONS, chosen(sweep, "1"))

        assert (first.status_code, second.status_code) == (202, 202)
        assert first.json() != second.json()


class WebSweepsAccess:
    async def test_who_is_no_admin_sweeps_and_deletes_nothing(self, house: House, web: WebClient) -> None:
        user = bearing(signed_as(await somebody(house.users, is_admin=False)))
        paths = (("POST", SWEEPS), ("POST", DELETIONS), ("GET", f"{ITEMS}/{an_id()}/orphans?what=x"))

        for method, path in paths:
            problem_of(await web.ask(method, path, headers=user), 403, "not-admin")
            problem_of(await web.ask(method, path, anonymous=True), 401, "unauthenticated")
        assert (await web.json(ITEMS))["items"] == []


class WebSweeps(WebSweepsAskedFor, WebFindings, WebDeletionsAgain, WebSweepsAccess):
    """All of it."""


def chosen(sweep: WorkItem, *ids: str) -> Json:
    return {"sweepId": str(sweep.id), "findingIds": list(ids)}


def link_of(header: str) -> str:
    """Where the header says that the next page is."""
    return header.removeprefix("<").removesuffix('>; rel="next"')
