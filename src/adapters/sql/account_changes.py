"""What operators change about accounts, in SQL."""

from typing import Any

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.refresh_tokens import ended_sessions
from adapters.sql.tables import users
from adapters.sql.users import CHANGING, user_of
from application.ports.account_changes import AccountChanged, AccountChanges, AccountGone, LastAdmin
from domain.account import User
from domain.ids import UserId


class SqlAccountChanges(AccountChanges):
    """Changes of roles are made one by one: two admins who withdraw each other's role must not both succeed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def set_password(self, user: UserId, password_hash: str) -> AccountChanged | AccountGone:
        return await self._database.write(
            lambda connection: _changed(connection, user, ends=True, password_hash=password_hash)
        )

    async def renew_hash(self, user: UserId, *, old: str, new: str) -> None:
        same = (users.c.id == user) & (users.c.password_hash == old)
        update = sa.update(users).where(same).values(password_hash=new)
        await self._database.write(lambda connection: connection.execute(update).rowcount)

    async def set_role(
        self, user: UserId, *, is_admin: bool, even_last: bool
    ) -> AccountChanged | LastAdmin | AccountGone:
        def work(connection: sa.Connection) -> AccountChanged | LastAdmin | AccountGone:
            if not is_admin and not even_last and self._is_last_admin(connection, user):
                return LastAdmin()
            return _changed(connection, user, ends=False, is_admin=is_admin)

        return await self._database.write(work)

    async def set_disabled(
        self, user: UserId, *, is_disabled: bool, even_last: bool
    ) -> AccountChanged | LastAdmin | AccountGone:
        def work(connection: sa.Connection) -> AccountChanged | LastAdmin | AccountGone:
            if is_disabled and not even_last and self._is_last_admin(connection, user):
                return LastAdmin()
            return _changed(connection, user, ends=is_disabled, is_disabled=is_disabled)

        return await self._database.write(work)

    def _is_last_admin(self, connection: sa.Connection, user: UserId) -> bool:
        self._database.dialect.lock_key(connection, CHANGING)
        admins = sa.select(users.c.id).where(users.c.is_admin, ~users.c.is_disabled).limit(2)
        return list(connection.execute(admins).scalars()) == [user]


def _changed(
    connection: sa.Connection,
    user: UserId,
    *,
    ends: bool,
    **values: Any,  # noqa: ANN401 -- columns
) -> AccountChanged | AccountGone:
    update = sa.update(users).where(users.c.id == user).values(**values).returning(users)
    row = connection.execute(update).one_or_none()
    if row is None:
        return AccountGone()
    changed: User = user_of(row)
    return AccountChanged(changed, ended_sessions(connection, user) if ends else 0)
