"""Errors: every one of every route is a problem document, and none tells what is nobody's business."""

from dataclasses import replace

import pytest

from adapters.memory.database import MemoryDatabase
from adapters.memory.work_store import MemoryWorkStore
from adapters.sql.engine import Database
from adapters.sql.stores import work_store
from adapters.web.problem_types import PROBLEM_TYPES
from domain.ids import WorkItemId
from domain.outcomes import CancelAnswer, UnknownItem
from domain.page import Counts, Page
from domain.work_item import WorkItem
from tests.support.builders import an_id
from tests.support.clock import ManualClock
from tests.support.house import House
from tests.support.web import (
    CONFIGS,
    ITEMS,
    PROBLEM_JSON,
    WORKERS,
    Headers,
    WebClient,
    a_web_client,
    assert_is_problem,
    assert_is_safe,
    bearing,
    ports_of,
    problem_of,
    signed_as,
    somebody,
)

NAME_OF_A_FILE = "/photos/Ada's wedding.jpg"
NOBODY_LISTENS_HERE = "postgresql+psycopg://anichron@127.0.0.1:1/anichron"

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
PATHS = (
    "/",
    "/nothing",
    "/api",
    "/api/v1",
    "/api/v1/admin",
    "/api/v1/admin/nothing",
    "/api/v1/healthz",
    "/api/v1/healthz/deeper",
    "/api/v1/livez",
    "/schema",
    "/schema/nothing",
    "/schema/openapi.json",
    "/problems",
    "/problems/internal",
    "/problems/nothing",
    ITEMS,
    f"{ITEMS}/",
    f"{ITEMS}/crawls",
    f"{ITEMS}/crawls/deeper",
    CONFIGS,
    f"{CONFIGS}?path=/photos",
    f"{CONFIGS}/nonsense",
    "/schema/openapi.yaml",
    f"{ITEMS}?limit=0",
    f"{ITEMS}?cursor=x",
    f"{ITEMS}/counts",
    f"{ITEMS}/counts?kind=crawl",
    f"{ITEMS}/counts/cancel",
    f"{ITEMS}/nonsense",
    f"{ITEMS}/nonsense/cancel",
    f"{ITEMS}/nonsense/cancel/more",
    f"{ITEMS}/%00%ff%0a",
    f"{ITEMS}/..%2f..%2fetc",
    WORKERS,
    f"{WORKERS}/all@nas",
)


@pytest.mark.parametrize("path", PATHS)
async def test_every_error_of_every_route_is_a_problem_whoever_asks(
    house: House, web: WebClient, path: str
) -> None:
    callers: dict[str, Headers] = {
        "nobody": {},
        "a forger": bearing("a.b.c"),
        "a user": bearing(signed_as(await somebody(house.users, is_admin=False))),
        "an admin": bearing(signed_as(web.admin)),
    }

    for method in METHODS:
        for headers in callers.values():
            response = await web.ask(method, path, headers=headers, anonymous=True)
            assert response.status_code < 500
            if response.status_code >= 400 and method != "HEAD":
                assert_is_problem(response)
            elif response.status_code >= 400:
                assert response.headers["Content-Type"] == PROBLEM_JSON
                assert response.content == b""
            assert_is_safe(response)


async def test_a_method_that_an_address_does_not_take_is_told_which_it_takes(web: WebClient) -> None:
    response = await web.ask("DELETE", ITEMS)

    problem_of(response, 405, "method-not-allowed")
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        (ITEMS, "GET, HEAD, OPTIONS"),
        (f"{ITEMS}/{an_id()}/cancel", "OPTIONS, POST"),
        (f"{ITEMS}/crawls", "OPTIONS, POST"),
        (CONFIGS, "GET, HEAD, OPTIONS, POST"),
        (f"{CONFIGS}/{an_id()}", "DELETE, GET, HEAD, OPTIONS, PATCH"),
        ("/api/v1/livez", "GET, HEAD, OPTIONS"),
    ],
)
async def test_who_asks_which_methods_there_are_is_told_the_same(
    web: WebClient, path: str, methods: str
) -> None:
    options, refused = await web.ask("OPTIONS", path), await web.ask("PUT", path)

    assert (options.status_code, options.headers["Allow"]) == (204, methods)
    problem_of(refused, 405, "method-not-allowed")
    assert refused.headers["Allow"] == methods


async def test_the_instance_is_the_path_as_it_was_asked_for(web: WebClient) -> None:
    problem = problem_of(await web.get("/nothing%20here/%C3%A9?a=b"), 404, "not-found")

    assert problem["instance"] == "/nothing%20here/%C3%A9"


@pytest.mark.parametrize("path", [ITEMS, f"{ITEMS}/counts", f"{ITEMS}/{an_id()}"])
async def test_without_its_database_the_api_says_so_and_when_to_ask_again(house: House, path: str) -> None:
    nowhere = Database(NOBODY_LISTENS_HERE)
    try:
        async with a_web_client(replace(ports_of(house), ledger=work_store(nowhere))) as web:
            response = await web.get(path)
    finally:
        await nowhere.close()

    problem_of(response, 503, "database-unavailable")
    assert response.headers["Retry-After"] == "5"
    assert "127.0.0.1" not in response.text


class BrokenStore(MemoryWorkStore):
    """Fails in a way that nobody foresaw, with a text that nobody may see."""

    async def get(self, _: WorkItemId) -> WorkItem | UnknownItem:
        raise RuntimeError(NAME_OF_A_FILE)

    async def page(self, *_: object, **__: object) -> Page:
        raise RuntimeError(NAME_OF_A_FILE)

    async def counts(self) -> Counts:
        raise RuntimeError(NAME_OF_A_FILE)

    async def cancel(self, _: WorkItemId) -> CancelAnswer:
        raise RuntimeError(NAME_OF_A_FILE)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ITEMS),
        ("GET", f"{ITEMS}/counts"),
        ("GET", f"{ITEMS}/{an_id()}"),
        ("POST", f"{ITEMS}/{an_id()}/cancel"),
    ],
)
async def test_what_nobody_foresaw_is_told_by_its_id_alone_and_reported(
    house: House, method: str, path: str
) -> None:
    broken = BrokenStore(MemoryDatabase(ManualClock()))
    async with a_web_client(replace(ports_of(house), ledger=broken, cancels=broken)) as web:
        response = await web.ask(method, path)
        problem = problem_of(response, 500, "internal")

        assert NAME_OF_A_FILE not in response.text
        assert "RuntimeError" not in response.text
        assert set(problem) == {"type", "title", "status", "detail", "instance", "requestId"}
        assert [(fault.request_id, str(fault.error)) for fault in web.faults] == [
            (problem["requestId"], NAME_OF_A_FILE)
        ]


async def test_each_request_has_an_id_of_its_own(web: WebClient) -> None:
    asked = [await web.get("/nothing", headers={"X-Request-Id": "mine"}) for _ in range(3)]

    assert len({response.headers["X-Request-Id"] for response in asked} - {"mine"}) == 3


@pytest.mark.parametrize("slug", PROBLEM_TYPES)
async def test_each_type_of_problem_has_a_page_for_people(web: WebClient, slug: str) -> None:
    response = await web.get(f"/problems/{slug}", anonymous=True)

    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert f"<h1>{PROBLEM_TYPES[slug].title}</h1>" in response.text
    assert f"/problems/{slug}" in response.text
    assert "<script" not in response.text
    assert_is_safe(response)
