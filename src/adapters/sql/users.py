"""The accounts, in SQL."""

from typing import Any, Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.tables import users
from application.ports.errors import StoreRefused
from application.ports.users import Users
from domain.account import User, lookup_key
from domain.ids import UserId
from domain.text import is_storable

CHANGING: Final = "users"
"""The lock that adds and withdrawals take one by one: no index can keep a name from being somebody else's address."""


class SqlUsers(Users):
    """Names and e-mail addresses share one space, so that no lookup has two answers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, user: UserId, *, name: str, email: str, password_hash: str, is_admin: bool) -> User:
        if not is_storable(name + email + password_hash):
            raise StoreRefused("the name or the e-mail address holds characters that cannot be stored")
        new = {
            "id": user,
            "name": name,
            "name_key": lookup_key(name),
            "email": email,
            "email_key": lookup_key(email),
            "password_hash": password_hash,
            "is_admin": is_admin,
            "is_disabled": False,
        }
        return await self._database.write(lambda connection: self._add(connection, new))

    async def get(self, user: UserId) -> User | None:
        return await self._one(users.c.id == user)

    async def named(self, name_or_email: str) -> User | None:
        if not is_storable(name_or_email):
            return None
        return await self._one(_is_called({lookup_key(name_or_email)}))

    async def all(self) -> tuple[User, ...]:
        query = sa.select(users).order_by(users.c.created_at, users.c.id)
        return await self._database.read(
            lambda connection: tuple(map(user_of, connection.execute(query).all()))
        )

    async def _one(self, which: sa.ColumnElement[bool]) -> User | None:
        query = sa.select(users).where(which)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else user_of(row)

    def _add(self, connection: sa.Connection, new: dict[str, Any]) -> User:
        self._database.dialect.lock_key(connection, CHANGING)
        keys = {new["name_key"], new["email_key"]}
        query = sa.select(users).where((users.c.id == new["id"]) | _is_called(keys))
        known = [user_of(row) for row in connection.execute(query).all()]
        match known:
            case []:
                insert = (
                    sa.insert(users).values(**new, created_at=self._database.dialect.now).returning(users)
                )
                return user_of(connection.execute(insert).one())
            case [same] if same.id == new["id"] and same.lookup_keys == keys:
                return same
            case _:
                raise StoreRefused("the name or the e-mail address is taken")


def _is_called(keys: set[str]) -> sa.ColumnElement[bool]:
    return users.c.name_key.in_(keys) | users.c.email_key.in_(keys)


def user_of(row: sa.Row[Any]) -> User:
    """The account of a whole row."""
    return User(
        id=UserId(row.id),
        name=row.name,
        email=row.email,
        password_hash=row.password_hash,
        is_admin=row.is_admin,
        is_disabled=row.is_disabled,
        created_at=row.created_at,
    )
