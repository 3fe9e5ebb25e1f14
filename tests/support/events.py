"""Events of streams, read as any client would read them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
from httpx_sse import EventSource, ServerSentEvent

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """One event; `id` is the latest id so far, as clients keep it."""

    name: str
    data: Json
    id: str = ""

    @classmethod
    def of(cls, sse: ServerSentEvent) -> "Event":
        """The event, whose data must be JSON."""
        return cls(sse.event, json.loads(sse.data), sse.id)


def events_of(pieces: Iterable[bytes]) -> list[Event]:
    """All events in what arrived, in whatever pieces."""
    return list(map(Event.of, sse_of(pieces)))


def sse_of(pieces: Iterable[bytes]) -> Iterator[ServerSentEvent]:
    """The same as the library tells them."""
    response = httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=iter(pieces))
    return EventSource(response).iter_sse()
