"""Requests that are none, never end, or never begin: strangers may send them, and they cost little."""

import asyncio
import json
import logging
from datetime import timedelta
from typing import Final
from uuid import UUID

import pytest

from entrypoints.connections import CuttableConnection
from tests.support.serving_here import Here, an_api_here
from tests.support.streaming import STREAM

PATIENCE_SECONDS: Final = 10
SIGN_IN: Final = b"POST /api/v1/auth/sign-in HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    "request_",
    [
        b"\x16\x03\x01 no HTTP at all\r\n\r\n",
        b"FOO / HTTP/1.1\r\nHost: here\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: here\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: here\r\nContent-Length: -2\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"CONNECT elsewhere:443 HTTP/1.1\r\nHost: here\r\n\r\n",
    ],
)
async def test_what_is_no_request_is_answered_with_a_problem(request_: bytes) -> None:
    async with an_api_here() as here:
        head, body = await answer_to(here, request_)

    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"\r\ncontent-type: application/problem+json\r\n" in head
    assert b"\r\nconnection: close" in head
    problem = json.loads(body)
    assert problem.pop("requestId").count("-") == 4
    assert problem == {
        "type": "/problems/malformed-request",
        "title": "Malformed request",
        "status": 400,
        "detail": "The request could not be read.",
        "instance": "",
        "errors": [{"detail": "Must be one request of HTTP/1.1."}],
    }


@pytest.mark.parametrize("beginning", [b"GET / HTTP/1.1\r\nX-Long: ", b"GET /"])
async def test_a_head_without_an_end_is_not_kept(beginning: bytes) -> None:
    async with an_api_here() as here:
        head, _ = await answer_to(here, beginning + b"a" * 1_000_000)

    # What it did not read makes the answer hard to get.
    assert not head or head.startswith(b"HTTP/1.1 400 Bad Request\r\n")


async def test_headers_without_an_end_are_refused() -> None:
    async with an_api_here() as here:
        _, writer = await asyncio.open_connection("127.0.0.1", here.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n")
        sent = 0
        try:
            while sent < 2_000_000:
                writer.write(b"X-More: " + b"a" * 8_000 + b"\r\n")
                sent += 8_010
                await writer.drain()
                await asyncio.sleep(0.001)
        except ConnectionError:
            pass
        writer.close()

    assert sent < 1_000_000


async def test_a_head_of_many_small_parts_is_taken() -> None:
    async with an_api_here() as here:
        reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
        for byte in b"GET /api/v1/livez HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n":
            writer.write(bytes([byte]))
            await writer.drain()
        answer = await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
        writer.close()

    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize("body_bytes", [70_000, 120_000, 250_000])
async def test_a_body_is_never_taken_for_a_head_that_is_too_long(body_bytes: int) -> None:
    body = json.dumps({"sweepId": str(UUID(int=1)), "findingIds": ["1"]}).encode().ljust(body_bytes)
    async with an_api_here() as here:
        head, answer = await answer_to(here, a_deletion_request(here, body))

    assert head.startswith(b"HTTP/1.1 404 Not Found\r\n")
    assert json.loads(answer)["type"] == "/problems/sweep-not-found"


@pytest.mark.parametrize(
    "beginning", [b"", b"GET / HTT", SIGN_IN + b"Content-Length: 100\r\n\r\n{"], ids=["none", "head", "body"]
)
async def test_who_does_not_finish_a_request_is_hung_up_on(
    beginning: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CuttableConnection, "longest_arrival", timedelta(seconds=0.2))
    async with an_api_here() as here:
        answer = await answer_to(here, beginning)
        faults = here.faults

    assert answer == (b"", b"")
    assert faults == []


async def test_who_goes_in_the_middle_of_a_body_is_no_fault_of_the_server() -> None:
    async with an_api_here() as here:
        _, writer = await asyncio.open_connection("127.0.0.1", here.port)
        writer.write(SIGN_IN + b"Content-Length: 100\r\n\r\n{")
        await writer.drain()
        await asyncio.sleep(0.1)
        writer.close()
        await asyncio.sleep(0.1)

    assert here.faults == []


async def test_an_open_stream_outlasts_what_a_request_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CuttableConnection, "longest_arrival", timedelta(seconds=0.2))
    async with an_api_here() as here:
        reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
        writer.write(a_stream_request(here))
        told = b""
        while told.count(b": k\n") < 3:
            told += await asyncio.wait_for(reader.read(4096), PATIENCE_SECONDS)
        writer.close()


async def test_garbage_after_a_request_adds_nothing_to_its_stream(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    async with an_api_here() as here:
        reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
        writer.write(a_stream_request(here))
        told = await asyncio.wait_for(reader.readuntil(b"event: sync"), PATIENCE_SECONDS)
        writer.write(b"\x00garbage\r\n\r\n")
        told += await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
        writer.close()

    assert told.count(b"HTTP/1.1") == 1
    assert caplog.records == []


def a_stream_request(here: Here) -> bytes:
    """An admin asks for the stream."""
    authorization = here.headers()["Authorization"]
    return f"GET {STREAM} HTTP/1.1\r\nHost: here\r\nAuthorization: {authorization}\r\n\r\n".encode()


def a_deletion_request(here: Here, body: bytes) -> bytes:
    """An admin asks for the deletion of proxies: of all requests that with the largest body."""
    lines = (
        "POST /api/v1/admin/work-items/proxy-deletions HTTP/1.1",
        "Host: here",
        "Connection: close",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        f"Authorization: {here.headers()['Authorization']}",
    )
    return "\r\n".join([*lines, "\r\n"]).encode() + body


async def answer_to(here: Here, request: bytes) -> tuple[bytes, bytes]:
    """All that comes back until the server hangs up: the head, and what follows it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", here.port)
    answer = b""
    try:
        writer.write(request)
        answer = await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
    except ConnectionError:
        pass
    finally:
        writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return head, body
