"""The OpenAPI document: Litestar's, with schemas and headers made exact."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.spec import Components, License, SecurityScheme, Tag
from msgspec import Struct

from adapters.web.openapi.operations import DescribedOperation

BEARER: Final = "bearer"
DESCRIPTION: Final = """\
Look after the work queue: list work items, see one in detail, cancel it, ask for work, see who works, and keep
the users' storage configs.

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
        Tag("storage configs", "The photo folders of users, which are the scopes of work"),
        Tag("workers", "Who does the work"),
        Tag(
            "sessions", "Signing in and out. No token is needed; the refresh token comes and goes in a cookie"
        ),
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

REQUEST_ID: Final = "X-Request-Id"
HEADERS: Final[Mapping[str, str]] = {
    REQUEST_ID: "What the server's log knows this request by",
    "ETag": "The item as it stands (its revision, and what it waits for), to be sent as `If-None-Match`",
    "Link": "The next page, as `rel=next`",
    "Location": "Where the new one is",
    "Set-Cookie": "The refresh token, for this server's own use",
    "Allow": "The methods that the address takes",
    "Retry-After": "Seconds to wait before the next try",
    "WWW-Authenticate": "How to sign in",
}
HEADERS_BY_STATUS: Final = {
    "401": "WWW-Authenticate",
    "405": "Allow",
    "429": "Retry-After",
    "503": "Retry-After",
    "304": "ETag",
}


def openapi_document(described: Litestar, *, server: str) -> bytes:
    """The document as JSON; its paths begin at `server`. Each route brings what it answers, and examples."""
    handlers = {str(handler.operation_id): handler for handler in _handlers(described)}
    document = described.openapi_schema.to_schema()
    document["servers"] = [{"url": server}]
    # Litestar's own are wrong for nullable free-form JSON, and know nothing of formats.
    document["components"]["schemas"] = _schemas(handlers.values())
    for path_item in document["paths"].values():
        for operation in path_item.values():
            _finish(operation, handlers[operation["operationId"]])
    return msgspec.json.encode(document)


def _handlers(app: Litestar) -> Iterator[HTTPRouteHandler]:
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if isinstance(handler, HTTPRouteHandler) and handler.operation_id is not None:
                yield handler


def _schemas(handlers: Iterable[HTTPRouteHandler]) -> dict[str, Any]:
    records: set[type[Struct]] = set()
    for handler in handlers:
        shown = (spec.data_container for spec in _responses(handler).values())
        records |= {view for view in shown if isinstance(view, type) and issubclass(view, Struct)}
        records |= set(_operation_class(handler).records)
    ordered = sorted(records, key=lambda record: record.__name__)
    _, schemas = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    return dict(sorted(schemas.items()))


def _finish(operation: dict[str, Any], handler: HTTPRouteHandler) -> None:
    for status, response in operation["responses"].items():
        own = _operation_class(handler).headers.get(int(status))
        names = (REQUEST_ID, HEADERS_BY_STATUS.get(status), own)
        response["headers"] = {
            name: {"description": HEADERS[name], "schema": {"type": "string"}} for name in names if name
        }
        _put_examples(response, _responses(handler)[int(status)])


def _responses(handler: HTTPRouteHandler) -> Mapping[int, ResponseSpec]:
    return handler.responses or {}


def _operation_class(handler: HTTPRouteHandler) -> type[DescribedOperation]:
    own = handler.operation_class
    return own if issubclass(own, DescribedOperation) else DescribedOperation


def _put_examples(response: dict[str, Any], spec: ResponseSpec) -> None:
    """Put them in whole: Litestar leaves out what is null."""
    for content in response.get("content", {}).values():
        content["examples"] = {
            example.id: {"summary": example.summary, "value": example.value}
            for example in spec.examples or ()
        }
