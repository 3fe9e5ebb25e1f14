"""Frames of server-sent events. Whatever stands in an item, its frame is one event with one line of data."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, assert_never

import msgspec
from msgspec import Struct

from adapters.web.stream_views import (
    PROTOCOL,
    ByeView,
    HelloView,
    RemovedView,
    ResetReason,
    ResetView,
    SyncView,
)
from adapters.web.views.instants import instant
from adapters.web.views.work_items import Limits, work_item_view
from application.ports.stream_frames import (
    Bye,
    Farewell,
    Hello,
    KeepAlive,
    Overflow,
    Reset,
    StreamFrames,
    Synced,
    Telling,
)
from domain.feed import Changes, FeedCursor, Lost
from domain.outlook import Outlook

RETRY_MS: Final = 3000
SHUTDOWN_RETRY_MS: Final = 5000
COME_BACK_AFTER_MS: Final = {
    Farewell.SHUTDOWN: SHUTDOWN_RETRY_MS,
    Farewell.TOKEN_EXPIRED: 0,
    Farewell.MAX_AGE: 0,
    Farewell.FORBIDDEN: 0,
    Farewell.OVERLOADED: RETRY_MS,
}

RESET_REASONS: Final[Mapping[Lost | Overflow, ResetReason]] = {
    Lost.EXPIRED: "cursor-expired",
    Lost.INVALID: "cursor-invalid",
    Lost.EPOCH: "epoch",
    Overflow.TOO_MANY: "too-many",
}

MOST_IDS: Final = 500
PIECE_BYTES: Final = 32 * 1024
"""About as much is sent at a time: what a socket does not take at once is copied for each subscriber."""

KEEP_ALIVE: Final = b": k\n"
"""A comment without an empty line after it: that would end an event, and some readers then take it for one."""

# In JSON a line break can only stand between two values, and the other three only inside of texts. Those are
# no ends of lines in event streams, but some readers take them for such.
LINE_ENDS: Final = (
    (b"\n", b" "),
    (b"\r", b" "),
    ("\u2028".encode(), rb"\u2028"),
    ("\u2029".encode(), rb"\u2029"),
    ("\u0085".encode(), rb"\u0085"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """What clients are told at the beginning: the paces of this install, and its version."""

    poll: timedelta
    keep_alive: timedelta
    heartbeat: timedelta
    lease: timedelta
    retention: timedelta
    version: str


class SseFrames(StreamFrames):
    """The frames of `text/event-stream`, for items as lists show them."""

    def __init__(
        self,
        greeting: Greeting,
        limits: Limits,
        now: Callable[[], datetime],
        glance: Callable[[], Outlook | None] = lambda: None,
    ) -> None:
        """Take what `hello` says, what items are shown with, the host's clock, and a glance at the line."""
        self._glance = glance
        self._greeting = greeting
        self._limits = limits
        self._now = now
        self._encoder = msgspec.json.Encoder()

    def frame(self, telling: Telling) -> bytes:
        match telling:
            case Hello(resumed=resumed):
                return b"retry: %d\n%b" % (RETRY_MS, self._event("hello", self._hello(resumed=resumed)))
            case Synced(cursor=cursor):
                return self._event("sync", SyncView(server_time=instant(self._now())), cursor)
            case Reset(why=why, cursor=cursor):
                return self._event("reset", ResetView(reason=RESET_REASONS[why]), cursor)
            case KeepAlive():
                return KEEP_ALIVE
            case Bye(why=why):
                wait = COME_BACK_AFTER_MS[why]
                bye = self._event("bye", ByeView(reason=why.value, retry_ms=wait))
                return b"retry: %d\n%b" % (wait, bye) if why is Farewell.SHUTDOWN else bye
            case _:
                assert_never(telling)

    def changes(self, changes: Changes) -> tuple[bytes, ...]:
        events = list(self._changed(changes))
        if changes.rest is None:
            # The cursor has to travel on an event: readers may miss an id that stands alone.
            last = events.pop() if events else self._event("sync", SyncView(server_time=instant(self._now())))
            events.append(b"%bid: %b\n\n" % (last[:-1], changes.cursor.encode()))
        return tuple(_gathered(events))

    def _changed(self, changes: Changes) -> Iterator[bytes]:
        for start in range(0, len(changes.removed), MOST_IDS):
            ids = changes.removed[start : start + MOST_IDS]
            yield self._event("removed", RemovedView(ids=tuple(map(str, ids)), reason="deleted"))
        outlook = self._glance() if changes.items else None
        for item in changes.items:
            yield self._event("item", work_item_view(item, self._limits, outlook))

    def _event(self, name: str, view: Struct, cursor: FeedCursor | None = None) -> bytes:
        data = self._encoder.encode(view)
        for line_end, harmless in LINE_ENDS:
            data = data.replace(line_end, harmless)
        id_ = b"" if cursor is None else b"id: %b\n" % cursor.encode()
        return b"event: %b\ndata: %b\n%b\n" % (name.encode(), data, id_)

    def _hello(self, *, resumed: bool) -> HelloView:
        greeting = self._greeting
        return HelloView(
            protocol=PROTOCOL,
            server_time=instant(self._now()),
            poll_seconds=_number(greeting.poll / timedelta(seconds=1)),
            keep_alive_seconds=_number(greeting.keep_alive / timedelta(seconds=1)),
            heartbeat_seconds=_number(greeting.heartbeat / timedelta(seconds=1)),
            lease_seconds=_number(greeting.lease / timedelta(seconds=1)),
            retention_days=_number(greeting.retention / timedelta(days=1)),
            ui_version=greeting.version,
            resumed=resumed,
        )


def _number(value: float) -> float:
    """Whole numbers travel as such."""
    return int(value) if value.is_integer() else value


def _gathered(events: list[bytes]) -> Iterator[bytes]:
    """The same events in fewer, larger pieces."""
    piece: list[bytes] = []
    size_bytes = 0
    for event in events:
        if piece and size_bytes + len(event) > PIECE_BYTES:
            yield b"".join(piece)
            piece, size_bytes = [], 0
        piece.append(event)
        size_bytes += len(event)
    if piece:
        yield b"".join(piece)
