"""What operators change about accounts, in memory."""

from dataclasses import replace

from adapters.memory.database import MemoryDatabase
from application.ports.account_changes import AccountChanged, AccountChanges, AccountGone, LastAdmin
from domain.ids import UserId


class MemoryAccountChanges(AccountChanges):
    """Changes the accounts of one memory database."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def set_password(self, user: UserId, password_hash: str) -> AccountChanged | AccountGone:
        users = self._database.users
        async with self._database.step():
            if user not in users:
                return AccountGone()
            users[user] = replace(users[user], password_hash=password_hash)
            return AccountChanged(users[user], self._end_sessions(user))

    async def renew_hash(self, user: UserId, *, old: str, new: str) -> None:
        users = self._database.users
        async with self._database.step():
            if user in users and users[user].password_hash == old:
                users[user] = replace(users[user], password_hash=new)

    async def set_role(
        self, user: UserId, *, is_admin: bool, even_last: bool
    ) -> AccountChanged | LastAdmin | AccountGone:
        users = self._database.users
        async with self._database.step():
            if user not in users:
                return AccountGone()
            if not is_admin and not even_last and self._is_last_admin(user):
                return LastAdmin()
            users[user] = replace(users[user], is_admin=is_admin)
            return AccountChanged(users[user])

    async def set_disabled(
        self, user: UserId, *, is_disabled: bool, even_last: bool
    ) -> AccountChanged | LastAdmin | AccountGone:
        users = self._database.users
        async with self._database.step():
            if user not in users:
                return AccountGone()
            if is_disabled and not even_last and self._is_last_admin(user):
                return LastAdmin()
            users[user] = replace(users[user], is_disabled=is_disabled)
            return AccountChanged(users[user], self._end_sessions(user) if is_disabled else 0)

    def _is_last_admin(self, user: UserId) -> bool:
        users = self._database.users.values()
        return [one.id for one in users if one.may_administer] == [user]

    def _end_sessions(self, user: UserId) -> int:
        sessions = self._database.sessions_of(user)
        self._database.end_sessions(sessions)
        return len(sessions)
