"""What the operations on proxy sweeps take and answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from litestar.openapi.spec import OpenAPIType, Schema

from adapters.web.openapi.examples import CONFIG_ID, ITEMS_PATH, WAITING_ITEM
from adapters.web.openapi.operations import CURSOR, LIMIT, DescribedOperation, query_parameter
from adapters.web.openapi.responses import FOR_ADMINS, Responses, answer, for_bodies, invalid_list, problem
from adapters.web.parameters import DEFAULT_LIMIT
from adapters.web.problem_types import SWEEP_NOT_FINISHED, SWEEP_NOT_FOUND
from adapters.web.views.findings import FindingsPageView
from adapters.web.views.work_items import WorkItemView
from domain.media.proxy_finding import FindingKind

SWEEP_ID: Final = "0192f3c4-1c02-7a9b-b0d7-8a3e5f6c7d21"
SWEEPS_PATH: Final = f"{ITEMS_PATH}/proxy-sweeps"
FINDINGS_PATH: Final = f"{ITEMS_PATH}/{SWEEP_ID}/orphans"

WAITING_SWEEP: Final[dict[str, Any]] = {
    **WAITING_ITEM,
    "id": SWEEP_ID,
    "kind": "proxy-sweep",
    "storageConfigId": None,
}
HASH: Final = "3f786850e387550fdab836ed7e6dc881de23001b4c9f3b7b0b0a1a3c5d7e9f10"
FINDING: Final = {
    "id": "17",
    "what": "orphan-file",
    "path": f"{HASH[:2]}/{CONFIG_ID}-{HASH}/preview.jpg",
    "size": 183224,
    "modifiedAt": "2026-10-02T18:20:11.004Z",
    "storageConfigId": CONFIG_ID,
}

WHAT: Final = Schema(
    type=OpenAPIType.ARRAY,
    items=Schema(type=OpenAPIType.STRING, enum=[kind.value for kind in FindingKind]),
    description="Only findings of this kind. Repeat it for several.",
)


@dataclass
class FindingsOperation(DescribedOperation):
    """Lists the findings of a sweep."""

    headers: ClassVar[Mapping[int, str]] = {200: "Link"}

    def __post_init__(self) -> None:
        """Name the parameters, beside the id in the path."""
        self.parameters = [
            *(self.parameters or ()),
            query_parameter("what", WHAT, [FindingKind.ORPHAN_FILE.value]),
            query_parameter("limit", LIMIT, DEFAULT_LIMIT),
            query_parameter("cursor", CURSOR),
        ]


SWEEP: Final[Responses] = {
    **for_bodies(SWEEPS_PATH, pointer="", detail="Object contains unknown field `storageConfigId`"),
    200: answer(WorkItemView, "One waits already; this is it", WAITING_SWEEP),
    202: answer(WorkItemView, "A new item waits", WAITING_SWEEP),
}
FINDINGS: Final[Responses] = {
    **FOR_ADMINS,
    200: answer(
        FindingsPageView,
        "Some findings, in the order in which they were found",
        {"items": [FINDING], "nextCursor": "AQAAABGGmMD_dMVUEQ", "partial": False, "status": "succeeded"},
    ),
    400: invalid_list(
        {
            "detail": "Unknown 'orphan'. Allowed: orphan-file, temporary-leftover, missing-file.",
            "parameter": "what",
        },
        "The cursor is not one of this sweep's findings with this filter.",
        {"detail": "Not a cursor of this list.", "parameter": "cursor"},
        path=FINDINGS_PATH,
    ),
    404: problem(SWEEP_NOT_FOUND, "No proxy sweep has this id.", path=FINDINGS_PATH),
    409: problem(SWEEP_NOT_FINISHED, "The sweep has not finished.", path=FINDINGS_PATH),
}
