"""Signing in to the API, and what the log says of it."""

from datetime import timedelta
from typing import Final

import structlog
from dependency_injector import containers, providers

from adapters.identity.session_secrets import KeyedSessionSecrets
from application.ports.refresh_tokens import Lives, Reused
from application.sessions import SessionParts, Sessions
from application.sign_in import SignIn, SignInParts
from entrypoints.settings.model import Settings

GRACE: Final = timedelta(seconds=10)
"""How long a refresh token that was used is answered once more: two tabs, and answers that were lost."""


def note_reuse(reuse: Reused) -> None:
    """Warn that a refresh token has two holders; the session is ended by then."""
    structlog.get_logger().warning(
        "a refresh token came twice: its session is ended",
        userId=str(reuse.user),
        sessionId=str(reuse.session),
    )


class SigningIn(containers.DeclarativeContainer):
    """The use cases around sessions, over the stores of one install."""

    settings = providers.Dependency(instance_of=Settings)
    desk = providers.DependenciesContainer()
    stores = providers.DependenciesContainer()

    lives = providers.Factory(
        Lives,
        idle=settings.provided.session.idle,
        longest=settings.provided.session.longest,
        grace=GRACE,
    )
    sessions = providers.Singleton(
        Sessions,
        providers.Factory(
            SessionParts,
            users=stores.users,
            tokens=stores.sessions,
            access=desk.access_tokens,
            secrets=providers.Singleton(KeyedSessionSecrets, secret=desk.secret),
            ids=desk.ids,
            lives=lives,
            access_lasts=settings.provided.jwt.access,
            note_reuse=providers.Object(note_reuse),
        ),
    )
    sign_in = providers.Singleton(
        SignIn,
        providers.Factory(
            SignInParts,
            users=stores.users,
            changes=stores.account_changes,
            passwords=desk.passwords,
            failures=stores.sign_in_failures,
            sessions=sessions,
        ),
    )
