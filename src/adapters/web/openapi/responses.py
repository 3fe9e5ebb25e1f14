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
    INVALID_BODY,
    INVALID_CURSOR,
    INVALID_PARAMETER,
    MALFORMED_REQUEST,
    NOT_ADMIN,
    UNAUTHENTICATED,
    UNSUPPORTED_MEDIA_TYPE,
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


def answer(view: type[Struct], description: str, value: dict[str, Any]) -> ResponseSpec:
    """What is answered when all is well."""
    return spec(view, description, {"Example": value}, "application/json")


def problem(
    type_: ProblemType,
    detail: str,
    view: type[Struct] = ProblemView,
    **members: Any,  # noqa: ANN401 -- JSON
) -> ResponseSpec:
    """What is answered when something is not; `members` are those beside the usual ones, and the path."""
    return spec(view, type_.title, {type_.title: a_problem(type_, detail, **members)}, PROBLEM_JSON)


def spec(
    view: type[Struct], description: str, values: Mapping[str, dict[str, Any]], media_type: str
) -> ResponseSpec:
    """One answer with several examples."""
    given = [Example(id=name, summary=name, value=value) for name, value in values.items()]
    return ResponseSpec(
        view, generate_examples=False, description=description, media_type=media_type, examples=given
    )


def invalid_list(
    wrong: Mapping[str, str], cursor: str, lost: Mapping[str, str], **members: str
) -> ResponseSpec:
    """What is answered where a parameter is `wrong`, or else where the `cursor` is: it holds for one list alone."""
    parameters = "The request has parameters that are not allowed."
    return spec(
        InvalidRequestView,
        "A parameter or the cursor is not allowed",
        {
            INVALID_PARAMETER.title: a_problem(INVALID_PARAMETER, parameters, errors=[wrong], **members),
            INVALID_CURSOR.title: a_problem(INVALID_CURSOR, cursor, errors=[lost], **members),
        },
        PROBLEM_JSON,
    )


INVALID: Final = problem(
    INVALID_PARAMETER,
    "The request has parameters that are not allowed.",
    InvalidRequestView,
    errors=[{"detail": "Unknown parameter. This address takes none.", "parameter": "verbose"}],
)
NOT_THERE: Final = problem(WORK_ITEM_NOT_FOUND, "No work item has this id.", path=ITEM_PATH)

EVERYWHERE: Final[Responses] = {
    500: problem(INTERNAL, "The server failed to answer. Its log knows this request by its id."),
}
FOR_ADMINS: Final[Responses] = {
    **EVERYWHERE,
    400: INVALID,
    401: problem(UNAUTHENTICATED, "The bearer token is not good, or not any more."),
    403: problem(NOT_ADMIN, "This account is not an administrator."),
    503: problem(
        DATABASE_UNAVAILABLE, "The server cannot reach its database. Nothing is known to have changed."
    ),
}


def for_bodies(path: str, *, pointer: str, detail: str) -> Responses:
    """What whoever sends a body to this path may be told beside; the fault is an example of one in the body."""
    return {
        **FOR_ADMINS,
        400: spec(
            InvalidRequestView,
            "The request could not be read, or has a parameter that is not allowed",
            {
                MALFORMED_REQUEST.title: a_problem(
                    MALFORMED_REQUEST,
                    "The body of the request is no JSON, or is nested too deep.",
                    path=path,
                    errors=[{"detail": "Must be one JSON document in UTF-8.", "pointer": ""}],
                ),
                INVALID_PARAMETER.title: a_problem(
                    INVALID_PARAMETER,
                    "The request has parameters that are not allowed.",
                    path=path,
                    errors=[
                        {"detail": "Unknown parameter. This address takes none.", "parameter": "verbose"}
                    ],
                ),
            },
            PROBLEM_JSON,
        ),
        413: problem(CONTENT_TOO_LARGE, "The body is larger than 64 KiB.", path=path),
        415: problem(UNSUPPORTED_MEDIA_TYPE, "The body of the request must be application/json.", path=path),
        422: problem(
            INVALID_BODY,
            "The body is not what this address takes.",
            InvalidRequestView,
            path=path,
            errors=[{"detail": detail, "pointer": pointer}],
        ),
    }


LIST: Final[Responses] = {
    **FOR_ADMINS,
    200: answer(WorkItemPageView, "Some items, newest change first", examples.PAGE),
    400: invalid_list(
        {
            "detail": "Unknown status 'done'. Allowed: queued, running, succeeded, failed, cancelled.",
            "parameter": "status",
        },
        "The cursor is not one of a list with this filter.",
        {"detail": "Not a cursor of this list.", "parameter": "cursor"},
    ),
}
COUNTS: Final[Responses] = {**FOR_ADMINS, 200: answer(CountsView, "The counts", examples.COUNTS)}
DETAIL: Final[Responses] = {
    **FOR_ADMINS,
    200: answer(WorkItemDetailView, "The item", examples.DETAIL),
    304: ResponseSpec(None, description="The item still has the revision that the client knows"),
    404: NOT_THERE,
}
CANCEL: Final[Responses] = {
    **FOR_ADMINS,
    200: answer(WorkItemView, "It was waiting, and is cancelled now", examples.CANCELLED_ITEM),
    202: answer(WorkItemView, "It is running, and was asked to stop", examples.STOPPING_ITEM),
    404: NOT_THERE,
    409: problem(
        WORK_ITEM_FINISHED,
        "It had finished already (succeeded), so nothing was changed.",
        FinishedProblemView,
        path=CANCEL_PATH,
        item=examples.SUCCEEDED_ITEM,
        finishedAt=examples.SUCCEEDED_ITEM["finishedAt"],
    ),
    413: problem(CONTENT_TOO_LARGE, "The body is larger than 64 KiB.", path=CANCEL_PATH),
}
WORKERS: Final[Responses] = {
    **FOR_ADMINS,
    200: answer(WorkersView, "The workers, most recently seen first", examples.WORKERS),
}
HEALTH: Final[Responses] = {
    **EVERYWHERE,
    200: answer(HealthView, "All is well", examples.HEALTHY),
    503: problem(
        DATABASE_UNAVAILABLE,
        "The database does not answer.",
        UnhealthyView,
        path="/api/v1/healthz",
        checks={"database": "unreachable", "schema": "unknown"},
    ),
}
LIFE: Final[Responses] = {**EVERYWHERE, 200: answer(LifeView, "The process answers", examples.ALIVE)}
