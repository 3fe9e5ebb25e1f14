"""Signing in by name and password, and what keeps strangers from guessing them."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from application.ports.account_changes import AccountChanges
from application.ports.passwords import NO_PASSWORD, Passwords
from application.ports.refresh_tokens import SignInOvertaken
from application.ports.sign_in_failures import LockedOut, SignInFailures, Suspect
from application.ports.users import Users
from application.sessions import Sessions, SignedIn
from domain.account import User, lookup_key

MOST_BY_ADDRESS: Final = 10
"""Failures a minute from one address, whichever accounts they are about: then it is that address's turn to wait."""

MOST_BY_ACCOUNT: Final = 50
"""Failures a minute at one account from all addresses together.

So much more than from one address, since the account's own user is locked out with the others then: no single
stranger can bring that about.
"""

MOST_AT_ONCE: Final = 2
"""Passwords that are compared at the same time: each takes a processor and much memory."""

MOST_WAITING: Final = 16


@dataclass(frozen=True, slots=True)
class WrongCredentials:
    """No: whether there is such an account, whether it is disabled, and what is wrong is not told."""


@dataclass(frozen=True, slots=True)
class TooBusy:
    """So many are signing in at this moment that another would only wait."""


SignInAnswer = SignedIn | WrongCredentials | LockedOut | TooBusy


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInParts:
    """What signing in needs."""

    users: Users
    changes: AccountChanges
    passwords: Passwords
    failures: SignInFailures
    sessions: Sessions


class SignIn:
    """Compares passwords, few at a time, and as long for accounts that are not there."""

    def __init__(self, parts: SignInParts) -> None:
        """Take what it needs."""
        self._parts = parts
        self._turns = asyncio.Semaphore(MOST_AT_ONCE)
        self._inside = 0

    async def sign_in(self, name_or_email: str, password: str, *, address: str) -> SignInAnswer:
        """Begin a session, if this is the account's password and not too many tries have failed."""
        if self._inside >= MOST_AT_ONCE + MOST_WAITING:
            return TooBusy()
        self._inside += 1
        try:
            return await self._judged(name_or_email, password, address)
        finally:
            self._inside -= 1

    async def _judged(self, name_or_email: str, password: str, address: str) -> SignInAnswer:
        user = await self._parts.users.named(name_or_email)
        limits = _limits(user, name_or_email, address)
        locked = await self._parts.failures.admit(limits)
        if isinstance(locked, LockedOut):
            return locked
        if not await self._proves(user, password) or user is None:
            return WrongCredentials()
        answer = await self._parts.sessions.begin(user)
        if isinstance(answer, SignInOvertaken):
            return WrongCredentials()
        await self._parts.failures.forgive(frozenset(limits))
        await self._renew_hash(user, password)
        return answer

    async def _proves(self, user: User | None, password: str) -> bool:
        async with self._turns:
            matches = await self._parts.passwords.match(
                password, NO_PASSWORD if user is None else user.password_hash
            )
        return matches and user is not None and not user.is_disabled

    async def _renew_hash(self, user: User, password: str) -> None:
        if not self._parts.passwords.is_outdated(user.password_hash):
            return
        async with self._turns:
            new = await self._parts.passwords.hashed(password)
        await self._parts.changes.renew_hash(user.id, old=user.password_hash, new=new)


def _limits(user: User | None, name_or_email: str, address: str) -> Mapping[Suspect, int]:
    # An account has a name and an address to be called by, and one count.
    account = f"name {lookup_key(name_or_email)}" if user is None else f"user {user.id}"
    return {Suspect(f"account {account}"): MOST_BY_ACCOUNT, Suspect(f"address {address}"): MOST_BY_ADDRESS}
