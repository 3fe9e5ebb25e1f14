"""How much of a request is read at most."""

from collections.abc import Mapping
from typing import Any, Final

from litestar.datastructures import Headers
from litestar.types import ASGIApp, Receive, Scope, Send

from adapters.web.problem_types import CONTENT_TOO_LARGE
from adapters.web.problems import Problem, ProblemError

KIB: Final = 1024
LARGEST_BODY_BYTES: Final = 64 * KIB
"""Where a route says nothing else."""

MOST_DIGITS: Final = 12


def refuse_large_bodies(app: ASGIApp) -> ASGIApp:
    """A middleware that ends requests which announce more, also where nobody would have read it.

    A body that does not announce its length is counted by the framework as it is read.
    """

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        announced = Headers.from_scope(scope).get("content-length", "0")
        if len(announced) > MOST_DIGITS or (announced.isdecimal() and int(announced) > _most(scope)):
            raise ProblemError(too_large(scope))
        await app(scope, receive, send)

    return limited


def too_large(scope: Mapping[str, Any]) -> Problem:
    """What is told of a body that is larger than this request's route reads."""
    return Problem(CONTENT_TOO_LARGE, f"The body is larger than {_most(scope) // KIB} KiB.")


def _most(scope: Mapping[str, Any]) -> int:
    most: int = scope["route_handler"].resolve_request_max_body_size()
    return most
