"""People: who may sign in, and with what."""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from application.ports.access_tokens import AccessTokens, IssuedToken
from application.ports.errors import StoreRefused
from application.ports.new_ids import NewIds
from application.ports.passwords import Passwords
from application.ports.users import Users
from domain.account import User
from domain.ids import UserId
from domain.text import clean_text

NO_PASSWORD: Final = "!"  # noqa: S105 -- a hash that no password has
SHORTEST_PASSWORD: Final = 8
LARGEST_PASSWORD: Final = 1024
LARGEST_NAME: Final = 100
LARGEST_EMAIL: Final = 254
EMAIL: Final = re.compile(r"[^\s@]+@[^\s@]+")

FIRST_NAME: Final = "admin"
FIRST_EMAIL: Final = "admin@localhost"


@dataclass(frozen=True, slots=True)
class AccountAdded:
    """The account is there."""

    user: User


@dataclass(frozen=True, slots=True)
class AccountTaken:
    """Somebody has this name or e-mail address already."""

    taken: str


@dataclass(frozen=True, slots=True)
class AccountRefused:
    """What is wrong with the name, the address or the password, in words for whoever typed it."""

    why: str


@dataclass(frozen=True, slots=True)
class UnknownUser:
    """Nobody has this name or e-mail address."""


@dataclass(frozen=True, slots=True)
class DisabledUser:
    """This account may not sign in."""


class Accounts:
    """Adds accounts and speaks for them."""

    def __init__(self, users: Users, passwords: Passwords, ids: NewIds) -> None:
        """Take what it needs."""
        self._users = users
        self._passwords = passwords
        self._ids = ids

    async def add_admin(
        self, *, name: str, email: str, password: str
    ) -> AccountAdded | AccountTaken | AccountRefused:
        """Add somebody who may see and cancel everybody's work."""
        problem = _problem(name, email, password)
        if problem is not None:
            return AccountRefused(problem)
        for wanted in (name, email):
            if await self._users.named(wanted) is not None:
                return AccountTaken(wanted)
        return await self._add(name, email, await self._passwords.hashed(password))

    async def first(self) -> User:
        """Somebody to own the first photo folder: the oldest account, made now if there is none.

        An account that is made here is an admin's, and no password opens it.
        """
        users = await self._users.all()
        if users:
            return users[0]
        match await self._add(FIRST_NAME, FIRST_EMAIL, NO_PASSWORD):
            case AccountAdded(user=user):
                return user
            case AccountTaken():
                # Another process was faster in the moment since the look above.
                return (await self._users.all())[0]

    async def named(self, name_or_email: str) -> User | UnknownUser:
        """The account with this name or e-mail address, capitals aside."""
        return await self._users.named(name_or_email) or UnknownUser()

    async def all(self) -> tuple[User, ...]:
        """Every account, oldest first."""
        return await self._users.all()

    async def _add(self, name: str, email: str, password_hash: str) -> AccountAdded | AccountTaken:
        try:
            user = await self._users.add(
                UserId(self._ids.next()), name=name, email=email, password_hash=password_hash, is_admin=True
            )
        except StoreRefused:
            return AccountTaken(name)
        return AccountAdded(user)


class Tokens:
    """Hands out bearer tokens for scripts."""

    def __init__(self, users: Users, tokens: AccessTokens) -> None:
        """Take what it needs."""
        self._users = users
        self._tokens = tokens

    async def create(
        self, name_or_email: str, *, lasts: timedelta
    ) -> IssuedToken | UnknownUser | DisabledUser:
        """A token for this account. It is shown once and kept nowhere."""
        user = await self._users.named(name_or_email)
        if user is None:
            return UnknownUser()
        return DisabledUser() if user.is_disabled else self._tokens.issue(user.id, lasts=lasts)


def _problem(name: str, email: str, password: str) -> str | None:
    if not name.strip() or name != clean_text(name, longest=LARGEST_NAME) or "\n" in name:
        return f"The name must be 1 to {LARGEST_NAME} printable characters long."
    if EMAIL.fullmatch(email) is None or email != clean_text(email, longest=LARGEST_EMAIL):
        return "The e-mail address must look like ada@photos.example."
    if len(password) < SHORTEST_PASSWORD:
        return f"The password must be at least {SHORTEST_PASSWORD} characters long."
    if len(password) > LARGEST_PASSWORD:
        return f"The password must be at most {LARGEST_PASSWORD} characters long."
    return None
