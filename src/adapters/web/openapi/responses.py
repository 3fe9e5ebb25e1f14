"""What each operation may answer, with an example of each answer."""

from collections.abc import Mapping
from typing import Any, Final

from litestar.openapi import ResponseSpec
from litestar.openapi.spec import Example
from msgspec import Struct

from adapters.web.openapi import examples
from adapters.web.openapi.examples import ITEM_ID, ITEMS_PATH, a_problem
from adapters.web.problem_types import (
    CONTENT_TOO_LARGE,
    DATABASE_UNAVAILABLE,
    INTERNAL,
    INVALID_CURSOR,
    INVALID_PARAMETER,
    NOT_ADMIN,
    UNAUTHENTICATED,
    WORK_ITEM_FINISHED,
    WORK_ITEM_NOT_FOUND,
    ProblemType,
)
from adapters.web.problems import (
    PROBLEM_JSON,
    FinishedProblemView,
    InvalidRequestView,
    ProblemView,
    UnhealthyView,
)
from adapters.web.views.counts import CountsView
from adapters.web.views.health import HealthView, LifeView
from adapters.web.views.work_items import WorkItemDetailView, WorkItemPageView, WorkItemView
from adapters.web.views.workers import WorkersView

ITEM_PATH: Final = f"{ITEMS_PATH}/{ITEM_ID}"
CANCEL_PATH: Final = f"{ITEM_PATH}/cancel"

Responses = Mapping[int, ResponseSpec]


def _answer(view: type[Struct], description: str, value: dict[str, Any]) -> ResponseSpec:
    return _spec(view, description, {"Example": value}, "application/json")


def _problem(
    type_: ProblemType,
    detail: str,
    view: type[Struct] = ProblemView,
    **members: Any,  # noqa: ANN401 -- JSON
) -> ResponseSpec:
    return _spec(view, type_.title, {type_.title: a_problem(type_, detail, **members)}, PROBLEM_JSON)


def _spec(
    view: type[Struct], description: str, values: Mapping[str, dict[str, Any]], media_type: str
) -> ResponseSpec:
    given = [Example(id=name, summary=name, value=value) for name, value in values.items()]
    return ResponseSpec(
        view, generate_examples=False, description=description, media_type=media_type, examples=given
    )


INVALID: Final = _problem(
    INVALID_PARAMETER,
    "The request has parameters that are not allowed.",
    InvalidRequestView,
    errors=[{"detail": "Unknown parameter. This address takes none.", "parameter": "verbose"}],
)
INVALID_LIST: Final = _spec(
    InvalidRequestView,
    "A parameter or the cursor is not allowed",
    {
        INVALID_PARAMETER.title: a_problem(
            INVALID_PARAMETER,
            "The request has parameters that are not allowed.",
            errors=[
                {
                    "detail": "Unknown status 'done'. Allowed: queued, running, succeeded, failed, cancelled.",
                    "parameter": "status",
                }
            ],
        ),
        INVALID_CURSOR.title: a_problem(
            INVALID_CURSOR,
            "The cursor is not one of a list with this filter.",
            errors=[{"detail": "Not a cursor of this list.", "parameter": "cursor"}],
        ),
    },
    PROBLEM_JSON,
)
NOT_THERE: Final = _problem(WORK_ITEM_NOT_FOUND, "No work item has this id.", path=ITEM_PATH)

EVERYWHERE: Final[Responses] = {
    500: _problem(INTERNAL, "The server failed to answer. Its log knows this request by its id."),
}
FOR_ADMINS: Final[Responses] = {
    **EVERYWHERE,
    400: INVALID,
    401: _problem(UNAUTHENTICATED, "The bearer token is not good, or not any more."),
    403: _problem(NOT_ADMIN, "This account is not an administrator."),
    503: _problem(
        DATABASE_UNAVAILABLE, "The server cannot reach its database. Nothing is known to have changed."
    ),
}

LIST: Final[Responses] = {
    **FOR_ADMINS,
    200: _answer(WorkItemPageView, "Some items, newest change first", examples.PAGE),
    400: INVALID_LIST,
}
COUNTS: Final[Responses] = {**FOR_ADMINS, 200: _answer(CountsView, "The counts", examples.COUNTS)}
DETAIL: Final[Responses] = {
    **FOR_ADMINS,
    200: _answer(WorkItemDetailView, "The item", examples.DETAIL),
    304: ResponseSpec(None, description="The item still has the revision that the client knows"),
    404: NOT_THERE,
}
CANCEL: Final[Responses] = {
    **FOR_ADMINS,
    200: _answer(WorkItemView, "It was waiting, and is cancelled now", examples.CANCELLED_ITEM),
    202: _answer(WorkItemView, "It is running, and was asked to stop", examples.STOPPING_ITEM),
    404: NOT_THERE,
    409: _problem(
        WORK_ITEM_FINISHED,
        "It had finished already (succeeded), so nothing was changed.",
        FinishedProblemView,
        path=CANCEL_PATH,
        item=examples.SUCCEEDED_ITEM,
        finishedAt=examples.SUCCEEDED_ITEM["finishedAt"],
    ),
    413: _problem(CONTENT_TOO_LARGE, "The body of the request is larger than 64 KiB.", path=CANCEL_PATH),
}
WORKERS: Final[Responses] = {
    **FOR_ADMINS,
    200: _answer(WorkersView, "The workers, most recently seen first", examples.WORKERS),
}
HEALTH: Final[Responses] = {
    **EVERYWHERE,
    200: _answer(HealthView, "All is well", examples.HEALTHY),
    503: _problem(
        DATABASE_UNAVAILABLE,
        "The database does not answer.",
        UnhealthyView,
        path="/api/v1/healthz",
        checks={"database": "unreachable", "schema": "unknown"},
    ),
}
LIFE: Final[Responses] = {**EVERYWHERE, 200: _answer(LifeView, "The process answers", examples.ALIVE)}

BY_OPERATION: Final[Mapping[str, Responses]] = {
    "listWorkItems": LIST,
    "countWorkItems": COUNTS,
    "getWorkItem": DETAIL,
    "cancelWorkItem": CANCEL,
    "listWorkers": WORKERS,
    "getHealth": HEALTH,
    "getLife": LIFE,
}
