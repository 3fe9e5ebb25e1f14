"""What the live stream promises to clients of a running API, whatever database is behind it."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from random import Random

import httpx
import pytest

from tests.support.builders import a_new_item, enqueued
from tests.support.house import House
from tests.support.racing import Pace, race, revisions_in
from tests.support.serving import ApiProcess, serving
from tests.support.sql import a_sql_house
from tests.support.streaming import QUICK, STREAM, Door, Mirror, a_client
from tests.support.web import ITEMS, problem_of, somebody


class WebStreamContract:
    """A subclass supplies `url`, the address of a migrated database, and `fresh_url`, that of another.

    One process serves all tests of a class but those that end it: to start one takes longer than most tests.
    """

    longest_transaction_seconds = 0.1

    @pytest.fixture(scope="class")
    @classmethod
    def api(cls, url: str) -> Iterator[ApiProcess]:
        with serving(url, **QUICK) as api:
            yield api

    @pytest.fixture
    async def house(self, url: str) -> AsyncIterator[House]:
        async with a_sql_house(url) as house:
            yield house

    @pytest.fixture
    async def door(self, api: ApiProcess, house: House) -> Door:
        return Door(api, await somebody(house.users, is_admin=True))

    async def test_a_list_and_the_stream_after_it_leave_nothing_out(self, house: House, door: Door) -> None:
        before = await enqueued(house.store)
        items, cursor = await door.whole_list()
        between = await enqueued(house.store)

        async with door.stream(after=cursor) as stream:
            told = await stream.until_told_of(between)
            later = await enqueued(house.store)
            told += await stream.until_told_of(later)

        assert items[0]["id"] == str(before)
        assert [event.data["id"] for event in told if event.name == "item"] == [str(between), str(later)]

    async def test_an_item_is_told_as_the_list_shows_it(self, house: House, door: Door) -> None:
        async with door.stream() as stream:
            await stream.until("sync")
            item = await enqueued(house.store, a_new_item(kind="crawl"))
            told = (await stream.until_told_of(item))[-1].data

        shown = (await door.get(ITEMS)).json()["items"][0]
        assert told.keys() == shown.keys()
        assert {**told, "waitReason": None} == {**shown, "waitReason": None}

    async def test_who_comes_back_is_told_only_what_changed_since(self, house: House, door: Door) -> None:
        async with door.stream() as stream:
            await stream.until("sync")
            await stream.until_told_of(await enqueued(house.store))
            known = stream.id
        missed = await enqueued(house.store)

        async with door.stream(last_event_id=known) as stream:
            told = await stream.until_told_of(missed)

        assert told[0].data["resumed"] is True
        assert [event.data["id"] for event in told if event.name == "item"] == [str(missed)]

    async def test_the_header_counts_more_than_the_address(self, house: House, door: Door) -> None:
        async with door.stream() as stream:
            first = (await stream.until("sync"))[-1].id
            await stream.until_told_of(await enqueued(house.store))
            known = stream.id

        async with door.stream(after=first, last_event_id=known) as stream:
            told = await stream.until("sync")

        assert [event.name for event in told] == ["hello", "sync"]

    async def test_a_deleted_item_is_told(self, house: House, door: Door) -> None:
        config = await house.a_config()
        item = await enqueued(house.store, a_new_item(kind="crawl", storage_config_id=config))
        async with door.stream() as stream:
            await stream.until("sync")

            await house.storage_configs.remove(config)

            removed = (await stream.until("removed"))[-1]
        assert removed.data == {"ids": [str(item)], "reason": "deleted"}

    async def test_what_a_client_of_this_process_does_is_told_soon(self, url: str, house: House) -> None:
        item = await enqueued(house.store)
        admin = await somebody(house.users, is_admin=True)
        with serving(url, **{**QUICK, "API__STREAM_SECONDS": "30"}) as api:
            door = Door(api, admin)
            async with door.stream() as stream:
                await stream.until("sync")
                async with a_client() as client:
                    await client.post(f"{door.root}{ITEMS}/{item}/cancel", headers=door.headers)
                began = time.monotonic()
                told = (await stream.until_told_of(item))[-1]

        assert told.data["status"] == "cancelled"
        assert time.monotonic() - began < 5

    async def test_cursors_that_are_none_are_refused(self, door: Door) -> None:
        for text in ("x", "not%20one", "a" * 121, "%00", "%E2%80%A8"):
            problem_of(await door.get(f"{STREAM}?after={text}"), 400, "invalid-cursor")
        too_long = {**door.headers, "Last-Event-ID": "1." * 5_000}
        async with a_client() as client:
            problem_of(await client.get(door.root + STREAM, headers=too_long), 400, "invalid-cursor")
        problem_of(await door.get(f"{STREAM}?status=failed"), 400, "invalid-parameter")

    async def test_a_cursor_of_another_install_is_a_reset(self, house: House, door: Door) -> None:
        async with door.stream() as stream:
            mine = (await stream.until("sync"))[-1].id
        epoch, _, rest = mine.partition(".")
        foreign = f"{''.join('1' if digit != '1' else '2' for digit in epoch)}.{rest}"

        async with door.stream(after=foreign) as stream:
            told = await stream.until("sync")
            await stream.until_told_of(await enqueued(house.store))

        assert [event.name for event in told[:2]] == ["hello", "reset"]
        assert told[1].data == {"reason": "epoch"}
        assert told[1].id != ""

    async def test_nobody_else_gets_in(self, house: House, door: Door) -> None:
        async with a_client() as client:
            answer = await client.get(door.root + STREAM)
        problem_of(answer, 401, "unauthenticated")
        door.headers = Door(door.api, await somebody(house.users, is_admin=False)).headers
        problem_of(await door.get(STREAM), 403, "not-admin")

    async def test_one_user_has_ten_streams_and_no_more(self, house: House, door: Door) -> None:
        others = Door(door.api, await somebody(house.users, is_admin=True))
        async with AsyncExitStack() as streams:
            for _ in range(10):
                await streams.enter_async_context(door.stream())

            refused = await door.get(STREAM)
            async with others.stream() as stream:
                assert (await stream.next()).name == "hello"

        problem_of(refused, 503, "too-many-streams")
        assert refused.headers["Retry-After"] == "30"

    async def test_its_headers_are_those_that_proxies_need(self, door: Door) -> None:
        async with door.stream() as stream:
            headers = stream.response.headers
            head = await self._head(door)

        for told in (headers, head.headers):
            assert told["Content-Type"] == "text/event-stream; charset=utf-8"
            assert told["Cache-Control"] == "no-store"
            assert told["X-Accel-Buffering"] == "no"
            assert "Connection" not in told
            assert "Content-Encoding" not in told
        assert (head.status_code, head.content) == (200, b"")

    async def test_its_log_holds_no_token(self, door: Door) -> None:
        async with door.stream() as stream:
            await stream.until("sync")
        await door.get(f"{STREAM}?after=x")

        assert door.headers["Authorization"].split()[1] not in door.api.said

    async def test_switched_off_it_tells_clients_not_to_come_back(self, url: str, house: House) -> None:
        admin = await somebody(house.users, is_admin=True)
        with serving(url, **{**QUICK, "API__STREAM_SECONDS": "0"}) as api:
            answer = await Door(api, admin).get(STREAM)

        assert (answer.status_code, answer.content) == (204, b"")

    async def test_at_the_end_of_the_process_fifty_streams_are_told_and_it_leaves_in_time(
        self, url: str, house: House
    ) -> None:
        admins = [await somebody(house.users, is_admin=True) for _ in range(5)]
        ready = asyncio.Barrier(51)

        async def listened(door: Door) -> tuple[str, object]:
            async with door.stream() as stream:
                await stream.until("sync")
                await ready.wait()
                last = (await stream.rest())[-1]
                return last.name, last.data

        with serving(url, **QUICK) as api:
            doors = [Door(api, admin) for admin in admins]
            listening = [asyncio.create_task(listened(door)) for door in doors for _ in range(10)]
            await ready.wait()
            code, seconds = await asyncio.to_thread(api.stop)
            told = await asyncio.gather(*listening)

        assert told == [("bye", {"reason": "shutdown", "retryMs": 5000})] * 50
        assert (code, seconds < 3) == (0, True)

    async def test_a_client_cut_200_times_while_5000_changes_race_ends_with_what_is_there(
        self, fresh_url: str
    ) -> None:
        async with a_sql_house(fresh_url) as house:
            admin = await somebody(house.users, is_admin=True)
        with serving(fresh_url, **QUICK) as api:
            await self._race(fresh_url, Door(api, admin))

    async def _race(self, url: str, door: Door) -> None:
        random = Random(20261129)  # noqa: S311 -- dice
        mirror = Mirror(door, random)
        async with door.stream() as stream:
            mirror.cursor = (await stream.until("sync"))[-1].id
        pace = Pace(longest_seconds=self.longest_transaction_seconds)

        racing = asyncio.create_task(
            race(url, Random(7), pace, is_enough=lambda: mirror.cuts >= 200)  # noqa: S311 -- dice
        )
        while not racing.done():
            await mirror.follow_until_cut()
        assert await racing >= 5_000
        there = await revisions_in(url)
        await mirror.follow_until(there)

        assert len(there) > 100
        assert mirror.revisions == there
        assert mirror.resets == 0
        assert mirror.cuts >= 200
        assert mirror.cuts_inside_batches > 20

    async def _head(self, door: Door) -> httpx.Response:
        async with a_client() as client:
            return await client.head(door.root + STREAM, headers=door.headers)
