"""The OpenAPI document: Litestar's, with schemas and headers made exact."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.spec import Components, License, OpenAPI, SecurityScheme, Tag

from adapters.web.openapi.responses import BY_OPERATION
from adapters.web.problems import FinishedProblemView, InvalidRequestView, ProblemView, UnhealthyView
from adapters.web.views.counts import CountsView
from adapters.web.views.health import HealthView, LifeView
from adapters.web.views.work_items import WorkItemDetailView, WorkItemPageView, WorkItemView
from adapters.web.views.workers import WorkersView

VIEWS: Final = (
    WorkItemView,
    WorkItemDetailView,
    WorkItemPageView,
    CountsView,
    WorkersView,
    HealthView,
    LifeView,
    ProblemView,
    InvalidRequestView,
    FinishedProblemView,
    UnhealthyView,
)

BEARER: Final = "bearer"
DESCRIPTION: Final = """\
Look after the work queue: list work items, see one in detail, cancel it, see who works.

JSON is camelCase. Times are RFC 3339 in UTC with milliseconds. What does not apply is null, never absent; fields
that you do not know are to be ignored. Errors are `application/problem+json` (RFC 9457); each `type` is an address of
this server that explains it. Every answer has an `X-Request-Id`, which the server's log knows too.
"""

CONFIG: Final = OpenAPIConfig(
    title="Anichron",
    version="1",
    description=DESCRIPTION,
    license=License(name="Apache-2.0", identifier="Apache-2.0"),
    use_handler_docstrings=True,
    tags=[
        Tag("work items", "Durable requests for work"),
        Tag("workers", "Who does the work"),
        Tag("health", "For whoever looks after the process. No sign-in"),
    ],
    components=Components(
        security_schemes={
            BEARER: SecurityScheme(
                type="http",
                scheme="bearer",
                bearer_format="JWT",
                description="A token of an admin: `anichron tokens create` makes one",
            )
        }
    ),
)

HEADERS: Final[Mapping[str, str]] = {
    "X-Request-Id": "What the server's log knows this request by",
    "ETag": "The revision of the item, to be sent as `If-None-Match`",
    "Link": "The next page, as `rel=next`",
    "Retry-After": "Seconds to wait before the next try",
    "WWW-Authenticate": "How to sign in",
}
HEADERS_BY_STATUS: Final = {"401": "WWW-Authenticate", "503": "Retry-After", "304": "ETag"}
HEADERS_BY_OPERATION: Final = {("getWorkItem", "200"): "ETag", ("listWorkItems", "200"): "Link"}


def openapi_document(described: OpenAPI, *, server: str) -> bytes:
    """The document as JSON; its paths begin at `server`."""
    document = described.to_schema()
    document["servers"] = [{"url": server}]
    _, schemas = msgspec.json.schema_components(VIEWS, ref_template="#/components/schemas/{name}")
    # Litestar's own are wrong for nullable free-form JSON, and know nothing of formats.
    document["components"]["schemas"] = schemas
    for path_item in document["paths"].values():
        for operation in path_item.values():
            for status, response in operation["responses"].items():
                response["headers"] = _headers(operation["operationId"], status)
                _put_examples(response, BY_OPERATION[operation["operationId"]][int(status)])
    return msgspec.json.encode(document)


def _headers(operation: str, status: str) -> dict[str, Any]:
    names = ("X-Request-Id", HEADERS_BY_STATUS.get(status), HEADERS_BY_OPERATION.get((operation, status)))
    return {name: {"description": HEADERS[name], "schema": {"type": "string"}} for name in names if name}


def _put_examples(response: dict[str, Any], spec: ResponseSpec) -> None:
    """Put them in whole: Litestar leaves out what is null."""
    for content in response.get("content", {}).values():
        content["examples"] = {
            example.id: {"summary": example.summary, "value": example.value}
            for example in spec.examples or ()
        }
