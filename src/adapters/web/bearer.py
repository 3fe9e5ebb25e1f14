"""The door of the admin API: a bearer token in the Authorization header, and nowhere else."""

from typing import Any, Final, assert_never

from litestar.connection import ASGIConnection
from litestar.datastructures import Headers
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from adapters.web.arrival import note_granted
from adapters.web.problem_types import NOT_ADMIN, UNAUTHENTICATED
from adapters.web.problems import Problem, ProblemError
from application.access import AdminAccess, Granted, NotAdmin, Unauthenticated

SCHEME: Final = "bearer"
LARGEST_TOKEN: Final = 4096

NO_TOKEN: Final = Problem(
    UNAUTHENTICATED,
    "The request has no bearer token in its Authorization header.",
    headers={"WWW-Authenticate": 'Bearer realm="anichron"'},
)
BAD_TOKEN: Final = Problem(
    UNAUTHENTICATED,
    "The bearer token is not good, or not any more.",
    headers={"WWW-Authenticate": 'Bearer realm="anichron", error="invalid_token"'},
)
NO_ADMIN: Final = Problem(NOT_ADMIN, "This account is not an administrator.")


def admins_only(access: AdminAccess) -> Guard:
    """A guard that lets admins in, before the route looks anything up: others learn nothing from its answers."""

    # A function, since the framework makes deep copies of guards that are objects, and of all they hold.
    async def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        answer = await access.judge(_token(connection.headers))
        match answer:
            case Granted() as granted:
                note_granted(connection.scope, granted)
            case Unauthenticated():
                raise ProblemError(BAD_TOKEN)
            case NotAdmin():
                raise ProblemError(NO_ADMIN)
            case _:
                assert_never(answer)

    return guard


def _token(headers: Headers) -> str:
    match headers.getall("authorization", []):
        case []:
            raise ProblemError(NO_TOKEN)
        case [credentials]:
            scheme, _, token = credentials.partition(" ")
        case _:
            raise ProblemError(BAD_TOKEN)
    if scheme.lower() != SCHEME:
        raise ProblemError(NO_TOKEN)
    if not 0 < len(token) <= LARGEST_TOKEN:
        raise ProblemError(BAD_TOKEN)
    return token.strip()
