"""Parameters of operations, which the routes check by themselves to name every fault at once."""

from dataclasses import dataclass
from typing import Any, Final

from litestar.openapi.spec import OpenAPIFormat, OpenAPIType, Operation, Parameter, Schema

from adapters.web.openapi.examples import CONFIG_ID
from adapters.web.requests import DEFAULT_LIMIT, LARGEST_KIND, LARGEST_LIMIT, MOST_KINDS
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
class ListOperation(Operation):
    """Lists work items."""

    def __post_init__(self) -> None:
        """Name the parameters."""
        self.parameters = [
            _query("status", STATUSES, ["failed", "running"]),
            _query("kind", KINDS, ["crawl"]),
            _query("storageConfigId", STORAGE_CONFIG, CONFIG_ID),
            _query("limit", LIMIT, DEFAULT_LIMIT),
            _query("cursor", CURSOR),
        ]


def _query(name: str, schema: Schema, example: Any = None) -> Parameter:  # noqa: ANN401 -- any JSON
    return Parameter(
        name=name, param_in="query", schema=schema, description=schema.description, example=example
    )
