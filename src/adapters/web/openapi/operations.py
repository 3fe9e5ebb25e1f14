"""Parameters of operations, which the routes check by themselves to name every fault at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from litestar.openapi.spec import (
    Example,
    OpenAPIFormat,
    OpenAPIMediaType,
    OpenAPIType,
    Operation,
    Parameter,
    Reference,
    RequestBody,
    Schema,
)
from litestar.params import PathParameter
from msgspec import Struct

from adapters.web.openapi.examples import CONFIG_ID
from adapters.web.parameters import DEFAULT_LIMIT, LARGEST_LIMIT
from adapters.web.requests import LARGEST_KIND, MOST_KINDS, SCHEDULE
from domain.work_item import Status

STATUSES: Final = Schema(
    type=OpenAPIType.ARRAY,
    items=Schema(type=OpenAPIType.STRING, enum=[status.value for status in Status]),
    description="Only items in one of these states. Repeat it for several.",
)
KINDS: Final = Schema(
    type=OpenAPIType.ARRAY,
    items=Schema(type=OpenAPIType.STRING, min_length=1, max_length=LARGEST_KIND, pattern=r"^[^\u0000]+$"),
    max_items=MOST_KINDS,
    description="Only items of one of these kinds. Repeat it for several; any text is allowed.",
)
STORAGE_CONFIG: Final = Schema(
    type=OpenAPIType.STRING,
    format=OpenAPIFormat.UUID,
    description="Only items of this storage config.",
)
REQUESTED_BY: Final = Schema(
    any_of=[
        Schema(type=OpenAPIType.STRING, const=SCHEDULE),
        Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.UUID),
    ],
    description="Only items that this user asked for, or that nobody did since they were due.",
)
LIMIT: Final = Schema(
    type=OpenAPIType.INTEGER,
    minimum=1,
    maximum=LARGEST_LIMIT,
    default=DEFAULT_LIMIT,
    description="How many items at most.",
)
CURSOR: Final = Schema(
    type=OpenAPIType.STRING,
    description="Where to go on: `nextCursor` of the page before, with the same filter.",
)


@dataclass
class DescribedOperation(Operation):
    """An operation that says more of itself than its route does.

    `records` are those that its answers do not show, and that need a schema all the same; `headers` are
    those of its answers, by status, beside what all have.
    """

    records: ClassVar[tuple[type[Struct], ...]] = ()
    headers: ClassVar[Mapping[int, str]] = {}


@dataclass
class ListOperation(DescribedOperation):
    """Lists work items."""

    headers: ClassVar[Mapping[int, str]] = {200: "Link"}

    def __post_init__(self) -> None:
        """Name the parameters."""
        self.parameters = [
            query_parameter("status", STATUSES, ["failed", "running"]),
            query_parameter("kind", KINDS, ["crawl"]),
            query_parameter("storageConfigId", STORAGE_CONFIG, CONFIG_ID),
            query_parameter("requestedBy", REQUESTED_BY, SCHEDULE),
            query_parameter("limit", LIMIT, DEFAULT_LIMIT),
            query_parameter("cursor", CURSOR),
        ]


@dataclass
class DetailOperation(DescribedOperation):
    """Shows something that has a revision."""

    headers: ClassVar[Mapping[int, str]] = {200: "ETag"}


def taking(
    record: type[Struct], example: Mapping[str, Any], *, made: int | None = None, may_be_empty: bool = False
) -> type[DescribedOperation]:
    """An operation that takes this record as its body; its answer of status `made` says where the new thing is."""
    body = json_body(schema_of(record), {"Example": example}, required=not may_be_empty)

    @dataclass
    class TakingOperation(DescribedOperation):
        """Takes a body, which the route reads by itself to name what does not fit."""

        records: ClassVar[tuple[type[Struct], ...]] = (record,)
        headers: ClassVar[Mapping[int, str]] = {} if made is None else {made: "Location"}

        def __post_init__(self) -> None:
            """Describe the body."""
            self.request_body = body

    return TakingOperation


def schema_of(record: type[Struct]) -> Reference:
    """Where the document has the schema of a record."""
    return Reference(ref=f"#/components/schemas/{record.__name__}")


def json_body(
    schema: Schema | Reference, examples: Mapping[str, Mapping[str, Any]], *, required: bool = True
) -> RequestBody:
    """A body of JSON, with examples by their names."""
    shown: dict[str, Example | Reference] = {
        name: Example(summary=name, value=dict(example)) for name, example in examples.items()
    }
    content = OpenAPIMediaType(schema=schema, examples=shown)
    return RequestBody(content={"application/json": content}, required=required)


def id_in_path(description: str, example: str) -> PathParameter:
    """An id as part of a path. What is no UUID is the id of nothing, so it is not refused as a parameter."""
    return PathParameter(
        description=description,
        schema_extra={"format": "uuid"},
        examples=[Example(id="Example", value=example)],
    )


def query_parameter(name: str, schema: Schema, example: Any = None) -> Parameter:  # noqa: ANN401 -- any JSON
    """A parameter of the query, which need not be there."""
    return Parameter(
        name=name, param_in="query", schema=schema, description=schema.description, example=example
    )
