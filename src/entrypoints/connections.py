"""Connections of clients, as uvicorn has them, but for what strangers could cost."""

import asyncio
from datetime import timedelta
from typing import ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from adapters.system.ids import RandomIds
from adapters.web.problems import unread_request
from adapters.web.stream_response import CUT

LARGEST_HEAD_BYTES: Final = 64 * 1024
"""What of a head may have come while its end has not: uvicorn itself would keep any number of headers."""


class CuttableConnection(HttpToolsProtocol):
    """Says with each request how to drop its connection at once, with all that the client has not taken.

    Uvicorn itself would keep what is not sent until the client reads it or goes; and wait for ever for a
    request that does not end, or begin.
    """

    longest_arrival: ClassVar = timedelta(seconds=60)
    """How long a request may take to come, with its body."""

    _head_bytes = 0
    _is_in_head = True
    _arrival: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request."""
        super().connection_made(transport)
        self._expect_arrival()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._forget_arrival()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        if self._is_in_head:
            self._head_bytes += len(data)
        # What this ends is no head any more: the last part of a body must not count as the next one's.
        super().data_received(data)
        if self._is_in_head and self._head_bytes > LARGEST_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("")

    def on_message_begin(self) -> None:
        """Take in the beginning of a request."""
        super().on_message_begin()
        self._expect_arrival()

    def on_headers_complete(self) -> None:
        """Take in the head of a request."""
        self._is_in_head = False
        # Before the application is called, which is what happens next.
        self.scope["state"][CUT] = self.transport.abort
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Take in the end of a request."""
        self._forget_arrival()
        self._is_in_head = True
        self._head_bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 -- the library's own words
        """Answer what is no request as every other error is answered, and hang up."""
        # There is no cycle before the first request, whatever the library's types say.
        is_answering = self.cycle is not None and self.cycle.response_started  # type: ignore[redundant-expr]
        if not is_answering or self.cycle.response_complete:
            self.transport.write(unread_request(RandomIds().next()))
        self.transport.close()

    def _expect_arrival(self) -> None:
        self._forget_arrival()
        self._arrival = self.loop.call_later(self.longest_arrival.total_seconds(), self._hang_up)

    def _forget_arrival(self) -> None:
        if self._arrival is not None:
            self._arrival.cancel()
            self._arrival = None

    def _hang_up(self) -> None:
        # What waits behind a request that is being answered is held up by this side.
        if self.flow.read_paused:
            self._expect_arrival()
        else:
            self.transport.abort()
