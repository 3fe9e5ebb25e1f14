"""Whatever is raised on the way to an answer, told as a problem. Texts of exceptions never are, but the codec's."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException, MethodNotAllowedException, ValidationException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import ExceptionHandlersMap

from adapters.web.arrival import arrival_of
from adapters.web.bodies import invalid_body
from adapters.web.body_limit import too_large
from adapters.web.methods import allowed
from adapters.web.problem_types import (
    DATABASE_UNAVAILABLE,
    INTERNAL,
    INVALID_BODY,
    INVALID_PARAMETER,
    MALFORMED_REQUEST,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    UNSUPPORTED_MEDIA_TYPE,
)
from adapters.web.problems import FaultView, Problem, ProblemError, problem_response
from application.ports.errors import CodecError, SchemaFromTheFuture, StoreUnavailable

RETRY_AFTER_SECONDS: Final = 5

ProblemResponse = Response[dict[str, object]]
AnyRequest = Request[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class RequestFault:
    """A request that failed through no fault of its own. The error is for the server's own log alone."""

    request_id: str
    error: Exception


ReportFault = Callable[[RequestFault], None]

UNAVAILABLE: Final = Problem(
    DATABASE_UNAVAILABLE,
    "The server cannot reach its database. Nothing is known to have changed.",
    headers={"Retry-After": str(RETRY_AFTER_SECONDS)},
)
INTERNAL_ERROR: Final = Problem(
    INTERNAL, "The server failed to answer. Its log knows this request by its id."
)

MALFORMED: Final = Problem(MALFORMED_REQUEST, "The request could not be read.")
NOT_ALLOWED: Final = Problem(METHOD_NOT_ALLOWED, "This address does not take this method.")

# What the framework finds wrong with a request before any of our code sees it.
BY_STATUS: Final[Mapping[int, Problem]] = {
    404: Problem(NOT_FOUND, "There is nothing at this address."),
    415: Problem(UNSUPPORTED_MEDIA_TYPE, "The body of the request must be application/json."),
}

WHOLE_BODY: Final = "data"
KEY_PARTS: Final = re.compile(r"[^.\[\]]+")


def exception_handlers(report: ReportFault) -> ExceptionHandlersMap:
    """A problem for everything that can be raised. What nobody foresaw is reported."""

    def unforeseen(request: AnyRequest, error: Exception) -> ProblemResponse:
        report(RequestFault(arrival_of(request.scope).request_id, error))
        return problem_response(request, INTERNAL_ERROR)

    def of_framework(request: AnyRequest, error: HTTPException) -> ProblemResponse:
        problem = _told(error)
        return unforeseen(request, error) if problem is None else problem_response(request, problem)

    return {
        ProblemError: lambda request, error: problem_response(request, error.problem),
        StoreUnavailable: lambda request, _: problem_response(request, UNAVAILABLE),
        SchemaFromTheFuture: lambda request, _: problem_response(request, UNAVAILABLE),
        # Requests have records encoded that they have filled themselves, and the codec's texts are fit for admins.
        CodecError: lambda request, error: problem_response(request, invalid_body("", str(error)).problem),
        RequestEntityTooLarge: lambda request, _: problem_response(request, too_large(request.scope)),
        HTTPException: of_framework,
        # Nothing but JSON that is nested too deep recurses here.
        RecursionError: lambda request, _: problem_response(request, MALFORMED),
        Exception: unforeseen,
    }


def _told(error: HTTPException) -> Problem | None:
    """The problem for an error of the framework; None for one that is the server's own."""
    match error:
        case ValidationException():
            return _invalid(error)
        case MethodNotAllowedException():
            return replace(NOT_ALLOWED, headers={"Allow": _methods(error)})
        case _ if 400 <= error.status_code < 500:  # noqa: PLR2004 -- the class of clients' errors
            return BY_STATUS.get(error.status_code, MALFORMED)
        case _:
            return None


def _methods(error: MethodNotAllowedException) -> str:
    return allowed((error.headers or {}).get("allow", "").split(", "))


def _invalid(error: ValidationException) -> Problem:
    faults = error.extra if isinstance(error.extra, list) else []
    if any(fault.get("source") == "body" for fault in faults):
        errors = [
            FaultView(pointer=_pointer(fault.get("key", WHOLE_BODY)), detail=_detail(fault))
            for fault in faults
        ]
        return Problem(INVALID_BODY, "The body is not what this address takes.", {"errors": errors})
    errors = [FaultView(parameter=fault.get("key", ""), detail=_detail(fault)) for fault in faults]
    return Problem(INVALID_PARAMETER, "The request has parameters that are not allowed.", {"errors": errors})


def _pointer(key: str) -> str:
    """`items[0].name` as a JSON pointer; the framework's name for the whole body is the empty pointer."""
    return "" if key == WHOLE_BODY else "".join(f"/{part}" for part in KEY_PARTS.findall(key))


def _detail(fault: Mapping[str, str]) -> str:
    # This is all that the framework says of something that is not there.
    return "Is missing." if fault["message"] == repr(fault.get("key")) else fault["message"]
