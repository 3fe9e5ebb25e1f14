"""What came of signing in, as status and body, and how the API's description tells of it."""

import math
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final, assert_never

from litestar import Request, Response
from litestar.openapi import ResponseSpec

from adapters.web.openapi.examples import USER_ID
from adapters.web.openapi.responses import FOR_ADMINS, Responses, answer, for_bodies, problem
from adapters.web.own_pages import FOREIGN
from adapters.web.problem_types import CROSS_SITE, TOO_MANY_ATTEMPTS, UNAUTHENTICATED, WRONG_CREDENTIALS
from adapters.web.problems import Problem, ProblemError
from adapters.web.session_cookie import AUTH_PATH, cookie_with
from adapters.web.views.sessions import SessionView, session_view
from application.ports.sign_in_failures import LockedOut
from application.sessions import SignedIn, SignedOut
from application.sign_in import SignInAnswer, TooBusy, WrongCredentials

SIGN_IN_PATH: Final = f"{AUTH_PATH}/sign-in"
BUSY_SECONDS: Final = 2
CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="anichron"'}

WRONG: Final = Problem(
    WRONG_CREDENTIALS, "There is no such account with this password that may sign in.", headers=CHALLENGE
)
OVER: Final = Problem(UNAUTHENTICATED, "There is no session, or not any more.", headers=CHALLENGE)
LOCKED: Final = "Too many sign-ins failed in the last minute."
BUSY: Final = "Too many are signing in at this moment."

SESSION: Final[dict[str, Any]] = {
    "accessToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl",
    "expiresAt": "2026-11-29T14:18:10.000Z",
    "sessionExpiresAt": "2026-12-29T14:03:10.120Z",
    "user": {"id": USER_ID, "name": "Ada", "email": "ada@photos.example", "isAdmin": True},
}
CREDENTIALS: Final = {"name": "ada@photos.example", "password": "correct horse battery staple"}


def sign_in_answer(came_of_it: SignInAnswer, request: Request[Any, Any, Any]) -> Response[SessionView]:
    """A session, or why there is none. Nobody is told which of name and password was wrong."""
    match came_of_it:
        case SignedIn():
            return session_answer(came_of_it, request)
        case WrongCredentials():
            raise ProblemError(WRONG)
        case LockedOut(wait=wait):
            raise ProblemError(_later(LOCKED, math.ceil(wait / timedelta(seconds=1))))
        case TooBusy():
            raise ProblemError(_later(BUSY, BUSY_SECONDS))
        case _:
            assert_never(came_of_it)


def session_answer(
    came_of_it: SignedIn | SignedOut, request: Request[Any, Any, Any]
) -> Response[SessionView]:
    """The session with its next refresh token in the cookie; or 401."""
    if isinstance(came_of_it, SignedOut):
        raise ProblemError(OVER)
    cookie = cookie_with(came_of_it.refresh, came_of_it.keep_for, request)
    return Response(session_view(came_of_it), status_code=200, cookies=[cookie])


def _later(detail: str, seconds: int) -> Problem:
    return Problem(TOO_MANY_ATTEMPTS, detail, headers={"Retry-After": str(max(1, seconds))})


def _for_pages(path: str) -> Responses:
    bodies = for_bodies(path, pointer="", detail="Object contains unknown field `user`")
    foreign = {403: problem(CROSS_SITE, FOREIGN.detail, path=path)}
    return {**bodies, 503: FOR_ADMINS[503], **foreign}


def sign_out_answers(route: str, done: str) -> Responses:
    """What may come of signing out: it works for those, too, who are not signed in."""
    answers = _for_pages(AUTH_PATH + route)
    return {
        **{status: told for status, told in answers.items() if status != HTTPStatus.UNAUTHORIZED},
        204: ResponseSpec(None, description=done),
    }


SIGN_IN: Final[Responses] = {
    **_for_pages(SIGN_IN_PATH),
    200: answer(SessionView, "Signed in; the refresh token is in the cookie", SESSION),
    401: problem(WRONG_CREDENTIALS, WRONG.detail, path=SIGN_IN_PATH),
    429: problem(TOO_MANY_ATTEMPTS, LOCKED, path=SIGN_IN_PATH),
}
REFRESH: Final[Responses] = {
    **_for_pages(f"{AUTH_PATH}/refresh"),
    200: answer(SessionView, "The session goes on; the next refresh token is in the cookie", SESSION),
    401: problem(UNAUTHENTICATED, OVER.detail, path=f"{AUTH_PATH}/refresh"),
}
