"""The API below a path of its own, behind proxies that keep that path and such that strip it."""

from collections.abc import AsyncIterator

import pytest

from tests.support.builders import enqueued
from tests.support.house import House
from tests.support.memory import a_memory_house
from tests.support.web import ITEMS, WebClient, a_web_client, ports_of, problem_of

ROOT = "/anichron"


@pytest.fixture
def house() -> House:
    return a_memory_house()


@pytest.fixture
async def web(house: House) -> AsyncIterator[WebClient]:
    async with a_web_client(ports_of(house), root_path=ROOT) as client:
        yield client


@pytest.mark.parametrize("arriving_at", ["", ROOT], ids=["stripped", "kept"])
async def test_requests_arrive_with_the_root_path_or_without(
    house: House, web: WebClient, arriving_at: str
) -> None:
    item = await enqueued(house.store)

    assert (await web.get(f"{arriving_at}/api/v1/livez", anonymous=True)).status_code == 200
    assert (await web.json(f"{arriving_at}{ITEMS}/{item}"))["id"] == str(item)
    assert (await web.get(f"{arriving_at}/problems/internal", anonymous=True)).status_code == 200


@pytest.mark.parametrize("arriving_at", ["", ROOT], ids=["stripped", "kept"])
async def test_a_problem_names_the_path_that_the_client_asked_for(web: WebClient, arriving_at: str) -> None:
    problem = problem_of(await web.get(f"{arriving_at}/nothing%20here"), 404, "not-found")

    assert problem["instance"] == "/anichron/nothing%20here"


@pytest.mark.parametrize("path", ["/anichronicle/api/v1/livez", "/other/api/v1/livez", "/anichron/anichron/"])
async def test_what_only_looks_like_the_root_path_is_not_found(web: WebClient, path: str) -> None:
    problem_of(await web.get(path, anonymous=True), 404, "not-found")


async def test_the_root_path_itself_is_the_root(web: WebClient) -> None:
    for path in (ROOT, f"{ROOT}/", "/"):
        page = await web.get(path, anonymous=True)
        assert (page.status_code, str(page.url.path)) == (200, "/anichron/admin")
        assert f'src="{ROOT}/admin/assets/' in page.text


@pytest.mark.parametrize("arriving_at", ["", ROOT], ids=["stripped", "kept"])
async def test_what_is_new_is_where_the_client_can_find_it(
    house: House, web: WebClient, arriving_at: str
) -> None:
    config = {"storageConfigId": str(await house.a_config())}

    asked = await web.send(f"{arriving_at}{ITEMS}/crawls", config)

    assert asked.headers["Location"] == f"{ROOT}{ITEMS}/{asked.json()['id']}"
    assert (await web.json(asked.headers["Location"]))["id"] == asked.json()["id"]


async def test_the_description_says_where_the_api_is(web: WebClient) -> None:
    document = await web.json(f"{ROOT}/schema/openapi.json")

    assert document["servers"] == [{"url": ROOT}]
