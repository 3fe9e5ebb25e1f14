"""How much of a request is read at most."""

from typing import Final

from litestar.datastructures import Headers
from litestar.types import ASGIApp, Receive, Scope, Send

from adapters.web.problem_types import CONTENT_TOO_LARGE
from adapters.web.problems import Problem, ProblemError

LARGEST_BODY_BYTES: Final = 64 * 1024
MOST_DIGITS: Final = 12

TOO_LARGE: Final = Problem(CONTENT_TOO_LARGE, f"The body is larger than {LARGEST_BODY_BYTES // 1024} KiB.")


def refuse_large_bodies(app: ASGIApp) -> ASGIApp:
    """A middleware that ends requests which announce more, also where nobody would have read it.

    A body that does not announce its length is counted by the framework as it is read.
    """

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        announced = Headers.from_scope(scope).get("content-length", "0")
        if len(announced) > MOST_DIGITS or (announced.isdecimal() and int(announced) > LARGEST_BODY_BYTES):
            raise ProblemError(TOO_LARGE)
        await app(scope, receive, send)

    return limited
