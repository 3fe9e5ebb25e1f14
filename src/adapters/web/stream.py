"""The live stream: `GET /api/v1/admin/work-items/stream`."""

from dataclasses import dataclass
from typing import Any, Final

from litestar import Controller, Request, Response, get
from litestar.di import NamedDependency
from litestar.types import ASGIApp, Receive, Scope, Send

from adapters.web.arrival import granted_of
from adapters.web.openapi.stream import STREAM, StreamOperation
from adapters.web.stream_request import cursor_of
from adapters.web.stream_response import Streaming, StreamResponse


@dataclass(frozen=True, slots=True)
class NotStreaming:
    """The live stream is switched off here: clients ask for the list now and then instead."""


NOT_STREAMING: Final = NotStreaming()

AnyRequest = Request[Any, Any, Any]


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
    async def stream(
        self, request: AnyRequest, streaming: NamedDependency[Streaming | NotStreaming]
    ) -> ASGIApp:
        """Each change of each work item as a server-sent event, and none is ever skipped. Not filtered.

        Ask for the list first, and for the stream with `after` set to its `eventCursor`: nothing lies between.
        """
        granted, cursor = granted_of(request.scope), cursor_of(request)
        match streaming:
            case Streaming():
                return StreamResponse(streaming, granted.user, granted.expires_at, cursor)
            case NotStreaming():
                return no_stream


async def no_stream(scope: Scope, receive: Receive, send: Send) -> None:
    """Nothing, which tells clients of event streams not to come back."""
    await Response(None, status_code=204).to_asgi_response(None, Request(scope))(scope, receive, send)
