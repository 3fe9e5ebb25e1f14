"""Sign-in and sessions on the wire."""

from typing import Annotated

from msgspec import Meta, Struct

from adapters.web.views.instants import Instant, instant
from application.sessions import SignedIn
from domain.credentials import LARGEST_EMAIL, LARGEST_PASSWORD


class SignInRequest(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Who wants to sign in: `name` is the name or the e-mail address of an account."""

    name: Annotated[str, Meta(min_length=1, max_length=LARGEST_EMAIL)]
    password: Annotated[str, Meta(min_length=1, max_length=LARGEST_PASSWORD)]

    def __repr__(self) -> str:
        """Show neither: people type their password where their name belongs."""
        return "SignInRequest()"


class NothingRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The cookie says it all."""


class SignedInUserView(Struct, frozen=True, kw_only=True, rename="camel"):
    """Whose session it is. What they may do is judged at each request, whatever is said here."""

    id: str
    name: str
    email: str
    is_admin: bool


class SessionView(Struct, frozen=True, kw_only=True, rename="camel"):
    """A session: the access token to go on with until `expiresAt`, and the refresh token is in its cookie.

    Unless it is used, the session is over at `sessionExpiresAt`.
    """

    access_token: str
    expires_at: Instant
    session_expires_at: Instant
    user: SignedInUserView


def session_view(signed_in: SignedIn) -> SessionView:
    """What its user is told. The refresh token is not in it: no script of a page may ever see that."""
    user = signed_in.user
    return SessionView(
        access_token=signed_in.access.text,
        expires_at=instant(signed_in.access.expires_at),
        session_expires_at=instant(signed_in.refresh_expires_at),
        user=SignedInUserView(id=str(user.id), name=user.name, email=user.email, is_admin=user.is_admin),
    )
