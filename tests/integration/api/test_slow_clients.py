"""A client that does not read is cut, nobody else notices, and it comes back without a loss."""

import asyncio
import logging
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

import httpx
import pytest
from httpx_sse import aconnect_sse

from tests.support.feeds import an_item
from tests.support.serving_here import Here, an_api_here
from tests.support.streaming import STREAM, Stream

SMALL_BUFFER_BYTES: Final = 4096


async def test_a_client_that_stops_reading_is_cut_and_loses_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.ERROR)
    async with an_api_here() as here:
        async with a_reader(here) as reader:
            await reader.until("sync")
            deaf = await a_deaf_client(here)
            await eventually_active(here, 2)

            told = [item for _ in range(8) for item in await changed(here, reader, 500)]
            await eventually_active(here, 1)
            told += await changed(here, reader, 1)

        assert [client.user for client in here.cut] == [here.admins[0]]
        assert here.hub.stats.ends["slow"] == 1
        received = await everything_from(deaf)
        assert len(received) < 3_000_000
        known = last_id_of(received)
        async with a_reader(here, last_event_id=known) as back:
            missed = [event.data["id"] for event in await back.until("sync") if event.name == "item"]
    assert missed == told[int(known.removeprefix("c.")) :]
    assert len(missed) > 500
    assert caplog.records == []


async def test_a_client_that_reads_slowly_but_reads_is_not_cut() -> None:
    async with an_api_here(patience=timedelta(seconds=2)) as here, a_reader(here) as reader:
        await reader.until("sync")
        slow = await a_deaf_client(here)
        await eventually_active(here, 2)
        for _ in range(4):
            await changed(here, reader, 500)

        loop = asyncio.get_running_loop()
        received = 0
        while received < 1_000_000:
            received += len(await loop.sock_recv(slow, 65_536))

        assert here.cut == []
        assert here.hub.stats.active == 2
        slow.close()


async def test_a_client_that_goes_is_forgotten_at_once() -> None:
    async with an_api_here() as here:
        async with a_reader(here) as reader:
            await reader.until("sync")
            assert here.hub.stats.active == 1

        await eventually_active(here, 0)
        assert here.hub.stats.ends == {"gone": 1}


async def test_comments_come_while_nothing_happens() -> None:
    async with (
        an_api_here() as here,
        httpx.AsyncClient() as client,
        client.stream("GET", url(here), headers=here.headers()) as response,
    ):
        text = ""
        async for chunk in response.aiter_text():
            text += chunk
            if text.count(": k\n") == 3:
                break

    assert text.endswith(": k\n: k\n: k\n")


async def test_a_connection_has_a_small_send_buffer_and_is_given_up_after_half_a_minute() -> None:
    async with an_api_here() as here, a_reader(here) as reader:
        await reader.until("sync")
        [connection] = here.server.server_state.connections
        own = connection.transport.get_extra_info("socket")

        # The kernel doubles what it is asked for, for its own bookkeeping.
        assert own.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * 256 * 1024
        assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


def url(here: Here) -> str:
    return f"http://127.0.0.1:{here.port}{STREAM}"


@asynccontextmanager
async def a_reader(here: Here, *, last_event_id: str | None = None) -> AsyncIterator[Stream]:
    """A client that reads all that it is sent."""
    known = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
    async with (
        httpx.AsyncClient(timeout=30) as client,
        aconnect_sse(client, "GET", url(here), headers={**here.headers(), **known}) as source,
    ):
        yield Stream(source)


async def a_deaf_client(here: Here) -> socket.socket:
    """A client that asks for the stream and reads nothing of it."""
    own = socket.socket()
    own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER_BYTES)
    own.setblocking(False)  # noqa: FBT003 -- the library's own name
    loop = asyncio.get_running_loop()
    await loop.sock_connect(own, ("127.0.0.1", here.port))
    head = f"GET {STREAM} HTTP/1.1\r\nHost: here\r\nAuthorization: {here.headers()['Authorization']}\r\n\r\n"
    await loop.sock_sendall(own, head.encode())
    return own


async def changed(here: Here, reader: Stream, count: int) -> list[str]:
    """Change so many items, and wait until somebody was told of them."""
    items = [an_item() for _ in range(count)]
    here.feed.change(*items)
    await reader.until_told_of(items[-1].id)
    return [str(item.id) for item in items]


async def everything_from(deaf: socket.socket) -> bytes:
    """What was on its way to somebody who did not read."""
    loop = asyncio.get_running_loop()
    received = b""
    try:
        while chunk := await asyncio.wait_for(loop.sock_recv(deaf, 65_536), 5):
            received += chunk
    except ConnectionResetError:
        pass
    deaf.close()
    return received


def last_id_of(wire: bytes) -> str:
    """Up to where a client knows everything that read this; chunks of HTTP are not taken apart."""
    whole, _, _ = wire.rpartition(b"\n\n")
    return [line for line in whole.split(b"\n") if line.startswith(b"id: ")][-1].decode().removeprefix("id: ")


async def eventually_active(here: Here, count: int) -> None:
    deadline = time.monotonic() + 20
    while here.hub.stats.active != count:
        assert time.monotonic() < deadline, here.hub.stats
        await asyncio.sleep(0.01)
