"""People: who may sign in, and with what."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from application.ports.access_tokens import AccessTokens, IssuedToken
from application.ports.errors import StoreRefused
from application.ports.new_ids import NewIds
from application.ports.passwords import NO_PASSWORD, Passwords
from application.ports.users import Users
from domain.account import User
from domain.credentials import email_problem, name_problem, password_problem
from domain.ids import UserId

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
class NotTheFirst:
    """There are accounts already, so none was added."""


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

    async def add(
        self, *, name: str, email: str, password: str, is_admin: bool
    ) -> AccountAdded | AccountTaken | AccountRefused:
        """Add somebody; an admin may see and cancel everybody's work."""
        problem = name_problem(name) or email_problem(email) or password_problem(password)
        if problem is not None:
            return AccountRefused(problem)
        for wanted in (name, email):
            if await self._users.named(wanted) is not None:
                return AccountTaken(wanted)
        return await self._add(name, email, await self._passwords.hashed(password), is_admin=is_admin)

    async def add_first_admin(
        self, *, email: str, password: str
    ) -> AccountAdded | AccountTaken | AccountRefused | NotTheFirst:
        """Add an admin, called what stands before the @ of the address, to an install without any account."""
        if await self._users.all():
            return NotTheFirst()
        name, _, _ = email.partition("@")
        return await self.add(name=name, email=email, password=password, is_admin=True)

    async def first(self) -> User:
        """Somebody to own the first photo folder: the oldest account, made now if there is none.

        An account that is made here is an admin's, and no password opens it.
        """
        users = await self._users.all()
        if users:
            return users[0]
        match await self._add(FIRST_NAME, FIRST_EMAIL, NO_PASSWORD, is_admin=True):
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

    async def _add(
        self, name: str, email: str, password_hash: str, *, is_admin: bool
    ) -> AccountAdded | AccountTaken:
        try:
            user = await self._users.add(
                UserId(self._ids.next()),
                name=name,
                email=email,
                password_hash=password_hash,
                is_admin=is_admin,
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
