"""The answer that does not end by itself: a small ASGI response of our own, in the one place that knows the server.

The framework's own class for server-sent events encodes for each client anew, sets headers that HTTP/2
forbids, and leaves a client that stops reading where it stands.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from litestar.types import HTTPResponseStartEvent, Receive, Scope, Send

from adapters.web.arrival import arrival_of
from adapters.web.problem_types import TOO_MANY_STREAMS
from adapters.web.problems import Problem, ProblemError
from adapters.web.stream_request import BAD_CURSOR
from application.live.hub import Hub, TooManyStreams
from application.live.subscriber import Subscriber
from application.ports.stream_frames import Farewell
from domain.feed import FeedCursor, NoCursor
from domain.ids import UserId

HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

CUT: Final = "cut"
"""Where in the state of a connection its server may leave a function that drops it with all that is not sent."""

SLOW: Final = "slow"
GONE: Final = "gone"
FAILED: Final = "failed"

CUT_PATIENCE_SECONDS: Final = 1

FULL: Final = Problem(
    TOO_MANY_STREAMS,
    "As many streams are open as are allowed: close one, or try again later.",
    headers={"Retry-After": "30"},
)


@dataclass(frozen=True, slots=True)
class SlowClient:
    """A stream was cut since its client did not take what it was sent."""

    request_id: str
    user: UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Streaming:
    """What streams need. `patience`: how long a client may take to make room for the next piece."""

    hub: Hub
    report: Callable[[SlowClient], None]
    patience: timedelta = timedelta(seconds=10)


class StreamResponse:
    """One client's stream, from the limits at the door until it is deregistered again."""

    def __init__(
        self, streaming: Streaming, user: UserId, expires_at: datetime, after: FeedCursor | None
    ) -> None:
        """Open nothing yet."""
        self._streaming = streaming
        self._user = user
        self._expires_at = expires_at
        self._after = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and stay until one of both leaves. Raises `ProblemError` and `StoreUnavailable` at first."""
        if arrival_of(scope).is_head:
            await send(_start())
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        match self._streaming.hub.enter(self._user, self._expires_at):
            case Subscriber() as subscriber:
                await self._let_in(subscriber, scope, receive, send)
            case TooManyStreams():
                raise ProblemError(FULL)

    async def _let_in(self, subscriber: Subscriber, scope: Scope, receive: Receive, send: Send) -> None:
        why = FAILED
        leaving: asyncio.Task[None] | None = None
        try:
            pieces = await self._joined(subscriber)
            await send(_start())
            leaving = asyncio.ensure_future(_left(receive, subscriber))
            why = await self._sent(subscriber, pieces, send)
            if why in {SLOW, Farewell.OVERLOADED}:
                self._streaming.report(SlowClient(arrival_of(scope).request_id, self._user))
                await _cut(scope, leaving)
        finally:
            # Around the body and not in its generator, whose own `finally` may come late or never.
            self._streaming.hub.leave(subscriber, why=why)
            if leaving is not None:
                leaving.cancel()

    async def _joined(self, subscriber: Subscriber) -> AsyncGenerator[bytes, None]:
        ring = await self._streaming.hub.ring()
        if isinstance(await subscriber.join(ring, self._after), NoCursor):
            raise ProblemError(BAD_CURSOR)
        return subscriber.pieces(ring)

    async def _sent(self, subscriber: Subscriber, pieces: AsyncGenerator[bytes, None], send: Send) -> str:
        """Send until the end, and say why it was that."""
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    await self._send(send, piece, more=True)
            await self._send(send, b"", more=False)
        except TimeoutError:
            return SLOW
        return subscriber.ended_by or GONE

    async def _send(self, send: Send, piece: bytes, *, more: bool) -> None:
        # The generator stands still meanwhile, so only here can anybody notice that the client does not read.
        async with asyncio.timeout(self._streaming.patience.total_seconds()):
            await send({"type": "http.response.body", "body": piece, "more_body": more})


def _start() -> HTTPResponseStartEvent:
    # A list of its own: layers outside add to it.
    return {"type": "http.response.start", "status": 200, "headers": list(HEADERS)}


async def _left(receive: Receive, subscriber: Subscriber) -> None:
    """Wait for the client to leave, and end its stream then."""
    while (await receive())["type"] != "http.disconnect":
        pass
    subscriber.end(None)


async def _cut(scope: Scope, leaving: asyncio.Task[None]) -> None:
    """Drop the connection with all that the client has not taken, where the server knows how to."""
    cut = scope["state"].get(CUT)
    if cut is not None:
        cut()
        await asyncio.wait([leaving], timeout=CUT_PATIENCE_SECONDS)
