"""The cookie with the refresh token: for this server alone, and for nothing but signing in and out."""

from datetime import timedelta
from typing import Any, Final

from litestar import Request
from litestar.datastructures import Cookie

from adapters.web.arrival import arrival_of

NAME: Final = "anichron-session"
AUTH_PATH: Final = "/api/v1/auth"
NONE: Final = ""


def presented_in(request: Request[Any, Any, Any]) -> str:
    """The refresh token of the request; empty where there is none."""
    return request.cookies.get(NAME, NONE)


def cookie_with(text: str, keep_for: timedelta, request: Request[Any, Any, Any]) -> Cookie:
    """Keep this so long. No script sees it, and no page of another site makes a browser send it."""
    return _cookie(text, keep_for // timedelta(seconds=1), request)


def cookie_gone(request: Request[Any, Any, Any]) -> Cookie:
    """Forget it."""
    return _cookie(NONE, 0, request)


def _cookie(text: str, seconds: int, request: Request[Any, Any, Any]) -> Cookie:
    return Cookie(
        key=NAME,
        value=text,
        max_age=seconds,
        path=arrival_of(request.scope).root + AUTH_PATH,
        httponly=True,
        samesite="strict",
        # Over plain http a browser would throw a secure cookie away.
        secure=request.scope["scheme"] == "https",
    )
