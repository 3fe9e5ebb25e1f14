"""The live stream through web servers as they come, with the configurations that we ship."""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.support.builders import enqueued
from tests.support.house import House
from tests.support.serving import ApiProcess, serving
from tests.support.sql import a_sql_house
from tests.support.streaming import QUICK, STREAM, Door
from tests.support.web import ITEMS, problem_of, somebody
from tests.support.web_servers import caddy, nginx

WebServer = Callable[..., AbstractContextManager[int]]


@pytest.fixture
def api(sqlite_url: str) -> Iterator[ApiProcess]:
    with serving(sqlite_url, **QUICK) as api:
        yield api


@pytest.fixture
async def house(sqlite_url: str) -> AsyncIterator[House]:
    async with a_sql_house(sqlite_url) as house:
        yield house


@pytest.mark.parametrize("web_server", [nginx, caddy])
async def test_the_stream_comes_through_at_once_and_goes_on_where_it_was(
    web_server: WebServer, api: ApiProcess, house: House, tmp_path: Path
) -> None:
    admin = await somebody(house.users, is_admin=True)
    with web_server(tmp_path, upstream=api.port) as port:
        door = Door(api, admin)
        door.root = f"http://127.0.0.1:{port}"

        began = time.monotonic()
        async with door.stream() as stream:
            assert (await stream.next()).name == "hello"
            assert time.monotonic() - began < 3
            await stream.until("sync")
            for _ in range(3):
                item = await enqueued(house.store)
                began = time.monotonic()
                told = await stream.until_told_of(item)
                assert time.monotonic() - began < 3
                assert len(told) == 1
            known = stream.id
        missed = await enqueued(house.store)

        async with door.stream(last_event_id=known) as stream:
            told = await stream.until_told_of(missed)
            assert stream.response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
            assert "Content-Encoding" not in stream.response.headers
        refused = await door.get(f"{STREAM}?after=x")
        listed = await door.get(ITEMS)

    assert [event.data["id"] for event in told if event.name == "item"] == [str(missed)]
    problem_of(refused, 400, "invalid-cursor")
    assert len(listed.json()["items"]) == 4


@pytest.mark.parametrize("web_server", [nginx, caddy])
async def test_the_end_of_the_api_is_told_through_them(
    web_server: WebServer, api: ApiProcess, house: House, tmp_path: Path
) -> None:
    admin = await somebody(house.users, is_admin=True)
    with web_server(tmp_path, upstream=api.port) as port:
        door = Door(api, admin)
        door.root = f"http://127.0.0.1:{port}"
        async with door.stream() as stream:
            await stream.until("sync")

            code, seconds = api.stop()

            last = (await stream.rest())[-1]

    assert (code, seconds < 3) == (0, True)
    assert (last.name, last.data["reason"]) == ("bye", "shutdown")
