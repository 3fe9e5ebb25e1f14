"""The live stream: `GET /api/v1/admin/work-items/stream`."""

from dataclasses import dataclass
from typing import Any, Final

from litestar import Controller, Request, Response, get
from litestar.di import NamedDependency
from litestar.enums import HttpMethod
from litestar.types import AfterResponseHookHandler, ASGIApp, Receive, Scope, Send

from adapters.web.arrival import granted_of
from adapters.web.openapi.stream import STREAM, StreamOperation
from adapters.web.stream_request import cursor_of
from adapters.web.stream_response import Streaming, StreamResponse
from application.access import Granted
from domain.feed import FeedCursor


@dataclass(frozen=True, slots=True)
class NotStreaming:
    """The live stream is switched off here: clients ask for the list now and then instead."""


NOT_STREAMING: Final = NotStreaming()

AnyRequest = Request[Any, Any, Any]


class Streams:
    """Opens streams, or says that there are none: one part for the routes, whatever the settings want."""

    def __init__(self, streaming: Streaming | NotStreaming) -> None:
        """Take what streams need."""
        self._streaming = streaming

    def answer(self, granted: Granted, after: FeedCursor | None) -> ASGIApp:
        """The answer to an admin who asks for a stream."""
        match self._streaming:
            case Streaming() as streaming:
                return StreamResponse(streaming, granted.user, granted.expires_at, after)
            case NotStreaming():
                return no_stream


def hint_after_writes(streaming: Streaming | NotStreaming) -> AfterResponseHookHandler:
    """A hook for answers: whoever wrote something shall see it soon."""

    # A function, since the framework makes deep copies of hooks that are objects, and of all they hold.
    async def hint(request: AnyRequest) -> None:
        if isinstance(streaming, Streaming) and request.method != HttpMethod.GET:
            streaming.hub.hint()

    return hint


class StreamController(Controller):
    """Tells of changes as they happen."""

    path = "/work-items/stream"
    tags = ("work items",)

    @get(
        operation_id="streamWorkItems",
        summary="Follow work items",
        operation_class=StreamOperation,
        responses=STREAM,
    )
    async def stream(self, request: AnyRequest, streams: NamedDependency[Streams]) -> ASGIApp:
        """Each change of each work item as a server-sent event, and none is ever skipped. Not filtered.

        Ask for the list first, and for the stream with `after` set to its `eventCursor`: nothing lies between.
        """
        return streams.answer(granted_of(request.scope), cursor_of(request))


async def no_stream(scope: Scope, receive: Receive, send: Send) -> None:
    """Nothing, which tells clients of event streams not to come back."""
    await Response(None, status_code=204).to_asgi_response(None, Request(scope))(scope, receive, send)
