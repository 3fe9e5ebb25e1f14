"""The accounts."""

from typing import Protocol

from domain.account import User
from domain.ids import UserId


class Users(Protocol):
    """Adds and finds users."""

    async def add(self, user: UserId, *, name: str, email: str, password_hash: str, is_admin: bool) -> User:
        """Add a user, dated by the store's clock. Raises `StoreRefused` where the name or e-mail is taken."""
        ...

    async def get(self, user: UserId) -> User | None:
        """One user, or None when there is no such."""
        ...

    async def named(self, name_or_email: str) -> User | None:
        """The user with this name or e-mail address, capitals aside, or None."""
        ...

    async def all(self) -> tuple[User, ...]:
        """Every user, oldest first."""
        ...
