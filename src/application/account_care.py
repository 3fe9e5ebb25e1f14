"""What operators do to accounts that are there: it holds for the next request of whoever has the account."""

from dataclasses import dataclass

from application.ports.account_changes import AccountChanged, AccountChanges, AccountGone, LastAdmin
from application.ports.passwords import Passwords
from application.ports.refresh_tokens import RefreshTokens
from domain.credentials import password_problem
from domain.ids import UserId


@dataclass(frozen=True, slots=True)
class PasswordRefused:
    """What is wrong with the password, in words for whoever typed it."""

    why: str


class AccountCare:
    """Changes passwords and roles, shuts accounts, ends sessions."""

    def __init__(self, changes: AccountChanges, sessions: RefreshTokens, passwords: Passwords) -> None:
        """Take what it needs."""
        self._changes = changes
        self._sessions = sessions
        self._passwords = passwords

    async def reset_password(
        self, user: UserId, password: str
    ) -> AccountChanged | AccountGone | PasswordRefused:
        """Another password. Whoever is signed in to the account has to sign in again."""
        problem = password_problem(password)
        if problem is not None:
            return PasswordRefused(problem)
        return await self._changes.set_password(user, await self._passwords.hashed(password))

    async def grant_admin(self, user: UserId) -> AccountChanged | LastAdmin | AccountGone:
        """Let somebody see and cancel everybody's work."""
        return await self._changes.set_role(user, is_admin=True, even_last=False)

    async def revoke_admin(
        self, user: UserId, *, even_last: bool
    ) -> AccountChanged | LastAdmin | AccountGone:
        """Take that back."""
        return await self._changes.set_role(user, is_admin=False, even_last=even_last)

    async def disable(self, user: UserId, *, even_last: bool) -> AccountChanged | LastAdmin | AccountGone:
        """Let nobody sign in to the account; whoever is, is not any more."""
        return await self._changes.set_disabled(user, is_disabled=True, even_last=even_last)

    async def enable(self, user: UserId) -> AccountChanged | LastAdmin | AccountGone:
        """Let its user sign in again."""
        return await self._changes.set_disabled(user, is_disabled=False, even_last=False)

    async def end_sessions(self, user: UserId) -> int:
        """Sign somebody out everywhere; how many sessions there were. Access tokens run out by themselves."""
        return await self._sessions.end_all(user)
