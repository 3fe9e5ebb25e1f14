"""What operators change about an account. What is changed holds for the next request of its user."""

from dataclasses import dataclass
from typing import Protocol

from domain.account import User
from domain.ids import UserId


@dataclass(frozen=True, slots=True)
class AccountChanged:
    """The account is like this now; `sessions` were ended by that."""

    user: User
    sessions: int = 0


@dataclass(frozen=True, slots=True)
class LastAdmin:
    """Nobody could look after the install any more, so nothing was changed."""


@dataclass(frozen=True, slots=True)
class AccountGone:
    """There is no such account."""


class AccountChanges(Protocol):
    """Changes accounts. Every method is one atomic step."""

    async def set_password(self, user: UserId, password_hash: str) -> AccountChanged | AccountGone:
        """Another password. Every session of the account ends."""
        ...

    async def renew_hash(self, user: UserId, *, old: str, new: str) -> None:
        """Another hash of the same password, unless the password has changed since. Sessions go on."""
        ...

    async def set_role(
        self, user: UserId, *, is_admin: bool, even_last: bool
    ) -> AccountChanged | LastAdmin | AccountGone:
        """Make an admin of somebody, or no admin; the last enabled one only if `even_last`."""
        ...

    async def set_disabled(
        self, user: UserId, *, is_disabled: bool, even_last: bool
    ) -> AccountChanged | LastAdmin | AccountGone:
        """Let somebody sign in, or not. Every session of an account that is disabled ends.

        The last enabled admin is disabled only if `even_last`.
        """
        ...
