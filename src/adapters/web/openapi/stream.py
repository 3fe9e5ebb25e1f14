"""The live stream in the description: its events in prose, and a schema for the data of each."""

from dataclasses import dataclass
from typing import ClassVar, Final

from litestar.openapi import ResponseSpec
from litestar.openapi.spec import Example, OpenAPIType, Parameter, Schema
from msgspec import Struct

from adapters.web.openapi.examples import ITEMS_PATH, a_problem
from adapters.web.openapi.operations import DescribedOperation
from adapters.web.openapi.responses import FOR_ADMINS, Responses, invalid_list, spec
from adapters.web.problem_types import DATABASE_UNAVAILABLE, TOO_MANY_STREAMS
from adapters.web.problems import PROBLEM_JSON, ProblemView
from adapters.web.stream_views import ByeView, HelloView, RemovedView, ResetView, SyncView
from adapters.web.views.work_items import WorkItemView

STREAM_PATH: Final = f"{ITEMS_PATH}/stream"

EVENTS: Final = """\
Server-sent events, each with one line of JSON as its data:

* `hello` (`HelloView`): first, at once.
* `item` (`WorkItemView`): a work item as it stands now, whole. Keep it if its `revision` is higher than that of \
the one you have.
* `removed` (`RemovedView`): these items are gone.
* `sync` (`SyncView`): whatever was missed was told, up to the server's latest look; from here on changes come as \
they happen.
* `reset` (`ResetView`): not everything can be told. Read the list again; the stream goes on.
* `bye` (`ByeView`): last. Come back after `retryMs`; on `forbidden` not at all.

Skip events that you do not know. Whenever the stream ends, come back with the id of the last event that had one as \
`Last-Event-ID`: you are told everything that changed since, and some of it perhaps twice. Only the last event of \
several that belong together has an id. Comments (lines that begin with a colon) say that the stream is alive.
"""

EXAMPLE: Final = """\
retry: 3000
event: hello
data: {"protocol":1,"serverTime":"2026-11-29T14:03:10.120Z","pollSeconds":2,"keepAliveSeconds":15,"heartbeatSeconds":2,\
"leaseSeconds":60,"retentionDays":30,"uiVersion":"0.1.0","resumed":true}

event: removed
data: {"ids":["0192f3c8-6d1e-7c55-9a51-0f6a2d5b7e10"],"reason":"deleted"}
id: k3f9.5247

event: sync
data: {"serverTime":"2026-11-29T14:03:10.141Z"}
id: k3f9.5247

: k

event: bye
data: {"reason":"token-expired","retryMs":0}

"""

AFTER: Final = Schema(
    type=OpenAPIType.STRING,
    min_length=1,
    max_length=120,
    pattern=r"^[0-9A-Za-z._-]{1,120}$",
    description="Where to begin: `eventCursor` of a list. Without it the stream begins now.",
)
LAST_EVENT_ID: Final = Schema(
    type=OpenAPIType.STRING,
    max_length=120,
    pattern=r"^[0-9A-Za-z._-]{0,120}$",
    description="The id of the last event that had one. It counts more than `after`; empty it counts nothing.",
)

STREAM: Final[Responses] = {
    **FOR_ADMINS,
    200: ResponseSpec(
        str,
        generate_examples=False,
        description=EVENTS,
        media_type="text/event-stream",
        examples=[Example(id="Example", summary="A short stream", value=EXAMPLE)],
    ),
    204: ResponseSpec(None, description="The stream is switched off here: ask for the list now and then"),
    400: invalid_list(
        {"detail": "Unknown parameter. Allowed: after.", "parameter": "status"},
        "The cursor is not one of this stream.",
        {"detail": "Neither an eventCursor nor the id of an event.", "parameter": "after"},
        path=STREAM_PATH,
    ),
    503: spec(
        ProblemView,
        "No stream at the moment",
        {
            TOO_MANY_STREAMS.title: a_problem(
                TOO_MANY_STREAMS,
                "As many streams are open as are allowed: close one, or try again later.",
                path=STREAM_PATH,
            ),
            DATABASE_UNAVAILABLE.title: a_problem(
                DATABASE_UNAVAILABLE,
                "The server cannot reach its database. Nothing is known to have changed.",
                path=STREAM_PATH,
            ),
        },
        PROBLEM_JSON,
    ),
}


@dataclass
class StreamOperation(DescribedOperation):
    """Follows work items."""

    records: ClassVar[tuple[type[Struct], ...]] = (
        ByeView,
        HelloView,
        RemovedView,
        ResetView,
        SyncView,
        WorkItemView,
    )

    def __post_init__(self) -> None:
        """Name the parameters."""
        self.parameters = [
            Parameter(name="after", param_in="query", schema=AFTER, description=AFTER.description),
            Parameter(
                name="Last-Event-ID",
                param_in="header",
                schema=LAST_EVENT_ID,
                description=LAST_EVENT_ID.description,
            ),
        ]
