"""Signing in and out: `/api/v1/auth`. The one place that takes a cookie."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from litestar import Controller, Request, Response, post
from litestar.di import NamedDependency

from adapters.web.bodies import body_of, optional_body_of
from adapters.web.client_address import address_of
from adapters.web.openapi.operations import DescribedOperation, taking
from adapters.web.requests import no_parameters
from adapters.web.session_answers import (
    CREDENTIALS,
    REFRESH,
    SIGN_IN,
    session_answer,
    sign_in_answer,
    sign_out_answers,
)
from adapters.web.session_cookie import cookie_gone, presented_in
from adapters.web.views.sessions import NothingRequest, SessionView, SignInRequest
from application.sessions import Sessions, SignedIn
from application.sign_in import SignIn

AnyRequest = Request[Any, Any, Any]


@dataclass
class SetsCookie(DescribedOperation):
    """Puts the refresh token into its cookie, or takes it out."""

    headers: ClassVar[Mapping[int, str]] = {200: "Set-Cookie", 204: "Set-Cookie"}


class SessionsController(Controller):
    """Begins, prolongs and ends sessions."""

    tags = ("sessions",)

    @post(
        "/sign-in",
        operation_id="signIn",
        summary="Sign in",
        status_code=200,
        operation_class=taking(SignInRequest, CREDENTIALS),
        responses=SIGN_IN,
    )
    async def sign_in(
        self, request: AnyRequest, sign_in: NamedDependency[SignIn], sessions: NamedDependency[Sessions]
    ) -> Response[SessionView]:
        """Get a short access token, and a refresh token in a cookie that no script can read.

        A session that the browser had before ends, since nobody has its cookie any more.
        """
        no_parameters(request.query_params.items())
        asked = await body_of(request, SignInRequest)
        answer = await sign_in.sign_in(asked.name, asked.password, address=address_of(request.scope))
        if isinstance(answer, SignedIn) and (before := presented_in(request)):
            await sessions.end(before)
        return sign_in_answer(answer, request)

    @post(
        "/refresh",
        operation_id="refreshSession",
        summary="Stay signed in",
        status_code=200,
        operation_class=SetsCookie,
        responses=REFRESH,
    )
    async def refresh(
        self, request: AnyRequest, sessions: NamedDependency[Sessions]
    ) -> Response[SessionView]:
        """Get another access token for the refresh token in the cookie, which is good for this once.

        One that was used before ends its session: somebody has stolen it.
        """
        await _nothing_asked(request)
        return session_answer(await sessions.refresh(presented_in(request)), request)

    @post(
        "/sign-out",
        operation_id="signOut",
        summary="Sign out",
        status_code=204,
        operation_class=SetsCookie,
        responses=sign_out_answers("/sign-out", "Signed out, here"),
    )
    async def sign_out(self, request: AnyRequest, sessions: NamedDependency[Sessions]) -> Response[None]:
        """End the session of the cookie, if there is one. Its access token runs out within minutes."""
        await _nothing_asked(request)
        await sessions.end(presented_in(request))
        return Response(None, status_code=204, cookies=[cookie_gone(request)])

    @post(
        "/sign-out-everywhere",
        operation_id="signOutEverywhere",
        summary="Sign out everywhere",
        status_code=204,
        operation_class=SetsCookie,
        responses=sign_out_answers("/sign-out-everywhere", "Signed out, on every device"),
    )
    async def sign_out_everywhere(
        self, request: AnyRequest, sessions: NamedDependency[Sessions]
    ) -> Response[None]:
        """End every session of the user whose cookie it is."""
        await _nothing_asked(request)
        await sessions.end_everywhere(presented_in(request))
        return Response(None, status_code=204, cookies=[cookie_gone(request)])


async def _nothing_asked(request: AnyRequest) -> None:
    no_parameters(request.query_params.items())
    await optional_body_of(request, NothingRequest)
