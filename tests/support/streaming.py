"""Clients of the live stream of a running API."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Final
from uuid import UUID

import httpx
from httpx_sse import EventSource, aconnect_sse

from domain.ids import UserId
from tests.support.events import Event, Json
from tests.support.serving import ApiProcess
from tests.support.web import ITEMS, SECRET, bearing, signed_as

STREAM: Final = f"{ITEMS}/stream"
PATIENCE_SECONDS: Final = 30.0

QUICK: Final = {"JWT__SECRET": SECRET, "API__STREAM_SECONDS": "0.1"}
"""Settings of an API that looks for changes ten times a second."""


# To read all authorities takes longer than most requests, and no test meets any.
NO_AUTHORITIES: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def a_client() -> httpx.AsyncClient:
    """A client of HTTP that can wait."""
    return httpx.AsyncClient(timeout=PATIENCE_SECONDS, verify=NO_AUTHORITIES)


class Door:
    """The way to an API for one admin."""

    def __init__(self, api: ApiProcess, admin: UserId) -> None:
        """Take who asks."""
        self.api = api
        self.headers = bearing(signed_as(admin))
        self.root = f"http://127.0.0.1:{api.port}"

    @asynccontextmanager
    async def stream(
        self, *, after: str | None = None, last_event_id: str | None = None
    ) -> AsyncIterator["Stream"]:
        """An open stream; asserts that it opens."""
        parameters = {} if after is None else {"after": after}
        known = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
        async with (
            a_client() as client,
            aconnect_sse(
                client, "GET", self.root + STREAM, params=parameters, headers={**self.headers, **known}
            ) as source,
        ):
            if source.response.status_code != 200:
                await source.response.aread()
            assert source.response.status_code == 200, source.response.text
            yield Stream(source)

    async def get(self, path: str) -> httpx.Response:
        """Whatever stands there."""
        async with a_client() as client:
            return await client.get(self.root + path, headers=self.headers)

    async def whole_list(self) -> tuple[list[Json], str]:
        """Every item, and the cursor of the first page: from there on the stream knows what changed."""
        page = (await self.get(f"{ITEMS}?limit=200")).json()
        items, cursor = page["items"], page["eventCursor"]
        while page["nextCursor"] is not None:
            page = (await self.get(f"{ITEMS}?limit=200&cursor={page['nextCursor']}")).json()
            items += page["items"]
        return items, cursor


class Stream:
    """What one connection brings."""

    def __init__(self, source: EventSource) -> None:
        """Read nothing yet."""
        self.response = source.response
        self._events = source.aiter_sse()
        self.id = ""

    async def next(self) -> Event:
        """The next event."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            event = Event.of(await anext(self._events))
        self.id = event.id
        return event

    async def until(self, name: str) -> list[Event]:
        """All events up to the next of this name, and that one."""
        events = [await self.next()]
        while events[-1].name != name:
            events.append(await self.next())
        return events

    async def until_told_of(self, item: UUID) -> list[Event]:
        """All events up to the next that is about this item, and that one."""
        events = [await self.next()]
        while events[-1].data.get("id") != str(item):
            events.append(await self.next())
        return events

    async def rest(self) -> list[Event]:
        """All events until the end."""
        events = []
        with suppress(StopAsyncIteration):
            while True:
                events.append(await self.next())
        return events


class Mirror:
    """A client that keeps what it is told, as the page does, and is cut whenever its dice say so."""

    def __init__(self, door: Door, random: Random) -> None:
        """Know nothing yet."""
        self._door = door
        self._random = random
        self.revisions: dict[str, int] = {}
        self.cursor: str | None = None
        self.resets = 0
        self.cuts = 0
        self.cuts_inside_batches = 0
        self._is_inside_batch = False
        self._in_vain = 0

    async def follow_until_cut(self) -> None:
        """Listen for a while, and be cut: mostly at any byte, else at any instant."""
        is_sudden = self._random.random() < 0.25
        seconds = self._random.uniform(0, 0.3) if is_sudden else 1
        # Whoever is always cut within a batch falls behind until there is too much to tell. So each cut in
        # vain is followed by a later one.
        size_bytes = None if is_sudden else int(self._random.expovariate(1 / (8_000 << self._in_vain)))
        before = self.cursor
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._follow(size_bytes=size_bytes)
        self._in_vain = self._in_vain + 1 if self.cursor == before else 0
        self.cuts += 1
        self.cuts_inside_batches += self._is_inside_batch

    async def follow_until(self, there: dict[str, int]) -> None:
        """Listen until just this is known, or nothing more comes."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS / 3):
                await self._follow(size_bytes=None, until=there)

    async def _follow(self, *, size_bytes: int | None, until: dict[str, int] | None = None) -> None:
        known = {} if self.cursor is None else {"Last-Event-ID": self.cursor}
        async with (
            a_client() as client,
            client.stream(
                "GET", self._door.root + STREAM, headers={**self._door.headers, **known}
            ) as response,
        ):
            assert response.status_code == 200, response.status_code
            cut = httpx.Response(200, headers=response.headers, content=_cut(response, size_bytes))
            async for sse in EventSource(cut).aiter_sse():
                event = Event.of(sse)
                await self._take(event)
                if self.revisions == until:
                    return

    async def _take(self, event: Event) -> None:
        match event.name:
            case "item":
                revision, known = event.data["revision"], self.revisions.get(event.data["id"], 0)
                self.revisions[event.data["id"]] = max(revision, known)
            case "removed":
                for item in event.data["ids"]:
                    self.revisions.pop(item, None)
            case "reset":
                self.resets += 1
                items, _ = await self._door.whole_list()
                self.revisions = {item["id"]: item["revision"] for item in items}
            case _:
                pass
        # The library repeats the latest id with each event.
        self._is_inside_batch = event.id == (self.cursor or "") and event.name in {"item", "removed"}
        self.cursor = event.id or self.cursor


async def _cut(response: httpx.Response, size_bytes: int | None) -> AsyncIterator[bytes]:
    """What comes over the wire, up to this byte."""
    left = size_bytes
    async for chunk in response.aiter_raw():
        if left is None:
            yield chunk
            continue
        yield chunk[:left]
        left -= len(chunk)
        if left <= 0:
            return
