"""What the deletion of proxies is asked for with, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from litestar.openapi.spec import OpenAPIType, Parameter, Schema
from msgspec import Struct

from adapters.web.body_limit import KIB
from adapters.web.idempotency import IDEMPOTENCY_KEY, KEY
from adapters.web.openapi.examples import ITEMS_PATH, WAITING_ITEM, a_problem
from adapters.web.openapi.operations import DescribedOperation, json_body, schema_of
from adapters.web.openapi.responses import Responses, answer, for_bodies, problem, spec
from adapters.web.openapi.sweeps import SWEEP_ID
from adapters.web.problem_types import (
    CONTENT_TOO_LARGE,
    IDEMPOTENCY_KEY_REUSED,
    INVALID_BODY,
    INVALID_SELECTION,
    SWEEP_NOT_FINISHED,
    SWEEP_NOT_FOUND,
)
from adapters.web.problems import PROBLEM_JSON, InvalidRequestView
from adapters.web.views.proxy_deletions import AllProxies, ChosenProxies, DeletionsView

LARGEST_CHOICE_BYTES: Final = 256 * KIB
"""There is room for as many ids as may be chosen, with blanks between."""

PATH: Final = f"{ITEMS_PATH}/proxy-deletions"
CHOSEN: Final = {"sweepId": SWEEP_ID, "findingIds": ["17", "18"]}
ALL: Final = {"sweepId": SWEEP_ID, "all": True, "files": 2}
NOT_SO_MANY: Final = "The sweep found 3 files that can be deleted, not 2."

WAITING_DELETION: Final[dict[str, Any]] = {
    **WAITING_ITEM,
    "id": "0192f3c9-40bb-7c1e-9d15-2b7f80a1c6e4",
    "kind": "proxy-deletion",
    "maxRetries": 5,
}
KEY_HEADER: Final = Parameter(
    name=IDEMPOTENCY_KEY,
    param_in="header",
    required=False,
    schema=Schema(type=OpenAPIType.STRING, pattern=f"^({KEY.pattern})$"),
    description=(
        "Makes it safe to send the request again: within 24 hours the same request with the same key is answered by "
        "what came of it the first time. Take a new one, for instance a UUID, for each new request."
    ),
    example="6f1c1f0e-5a0b-4f57-9d0e-3c1c7f0a9b11",
)


@dataclass
class DeletionOperation(DescribedOperation):
    """Takes a choice in one of two forms, and a key to send it again with."""

    records: ClassVar[tuple[type[Struct], ...]] = (ChosenProxies, AllProxies)
    headers: ClassVar[Mapping[int, str]] = {202: "Location"}

    def __post_init__(self) -> None:
        """Describe the body and the header."""
        forms = Schema(one_of=[schema_of(record) for record in self.records])
        self.request_body = json_body(forms, {"Chosen ones": CHOSEN, "All of them": ALL})
        self.parameters = [KEY_HEADER]


DELETIONS: Final[Responses] = {
    **for_bodies(PATH, pointer="/findingIds", detail="Expected `array` of length >= 1"),
    200: answer(
        DeletionsView,
        "The same was asked with this key before; these came of it",
        {"items": [WAITING_DELETION]},
    ),
    202: answer(DeletionsView, "New items wait", {"items": [WAITING_DELETION]}),
    404: problem(SWEEP_NOT_FOUND, "No proxy sweep has this id.", path=PATH),
    409: problem(SWEEP_NOT_FINISHED, "The sweep has not finished.", path=PATH),
    413: problem(CONTENT_TOO_LARGE, f"The body is larger than {LARGEST_CHOICE_BYTES // KIB} KiB.", path=PATH),
    422: spec(
        InvalidRequestView,
        "The body is not what this address takes, or asks for what cannot be",
        {
            INVALID_BODY.title: a_problem(
                INVALID_BODY,
                "The body is not what this address takes.",
                path=PATH,
                errors=[{"detail": "Expected `array` of length >= 1", "pointer": "/findingIds"}],
            ),
            INVALID_SELECTION.title: a_problem(
                INVALID_SELECTION,
                NOT_SO_MANY,
                path=PATH,
                errors=[{"detail": NOT_SO_MANY, "pointer": "/files"}],
            ),
            IDEMPOTENCY_KEY_REUSED.title: a_problem(
                IDEMPOTENCY_KEY_REUSED,
                "Something else was asked for with this key.",
                path=PATH,
                errors=[{"detail": "Take another key for another request.", "parameter": IDEMPOTENCY_KEY}],
            ),
        },
        PROBLEM_JSON,
    ),
}
