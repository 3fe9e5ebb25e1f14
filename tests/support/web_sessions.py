"""Signing in to the web API over a store, as an API does it but for the cost of a password."""

from dataclasses import dataclass

from argon2 import PasswordHasher

from adapters.identity.passwords import ArgonPasswords
from adapters.identity.session_secrets import KeyedSessionSecrets
from adapters.memory.account_changes import MemoryAccountChanges
from adapters.memory.database import MemoryDatabase
from adapters.memory.refresh_tokens import MemoryRefreshTokens
from adapters.memory.sign_in_failures import MemorySignInFailures
from adapters.sql.account_changes import SqlAccountChanges
from adapters.sql.engine import Database
from adapters.sql.refresh_tokens import SqlRefreshTokens
from adapters.sql.sign_in_failures import SqlSignInFailures
from application.ports.access_tokens import AccessTokens
from application.ports.account_changes import AccountChanges
from application.ports.refresh_tokens import RefreshTokens, Reused
from application.ports.sign_in_failures import SignInFailures
from application.ports.users import Users
from application.sessions import SessionParts, Sessions
from application.sign_in import SignIn, SignInParts
from tests.support.builders import ids
from tests.support.signing_in import ACCESS_LASTS, LIVES


@dataclass(frozen=True, slots=True)
class SignInPorts:
    """What a store has behind signing in. `reused` hears of each token that came twice."""

    sessions: RefreshTokens
    changes: AccountChanges
    failures: SignInFailures
    reused: list[Reused]


def memory_sign_in_ports(database: MemoryDatabase) -> SignInPorts:
    """In memory."""
    return SignInPorts(
        MemoryRefreshTokens(database), MemoryAccountChanges(database), MemorySignInFailures(database), []
    )


def sql_sign_in_ports(database: Database) -> SignInPorts:
    """In the database there."""
    return SignInPorts(
        SqlRefreshTokens(database), SqlAccountChanges(database), SqlSignInFailures(database), []
    )


def cheap_passwords() -> ArgonPasswords:
    """The real thing, for as little work as it knows: tests sign in often."""
    passwords = ArgonPasswords()
    passwords._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    return passwords


def sessions_over(ports: SignInPorts, users: Users, access: AccessTokens, *, secret: str) -> Sessions:
    """The sessions of an API."""
    return Sessions(
        SessionParts(
            users=users,
            tokens=ports.sessions,
            access=access,
            secrets=KeyedSessionSecrets(secret=secret),
            ids=ids,
            lives=LIVES,
            access_lasts=ACCESS_LASTS,
            note_reuse=ports.reused.append,
        )
    )


def sign_in_over(ports: SignInPorts, users: Users, sessions: Sessions) -> SignIn:
    """The door of an API."""
    return SignIn(
        SignInParts(
            users=users,
            changes=ports.changes,
            passwords=cheap_passwords(),
            failures=ports.failures,
            sessions=sessions,
        )
    )
