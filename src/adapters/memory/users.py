"""The accounts, in memory."""

from adapters.memory.database import MemoryDatabase
from application.ports.errors import StoreRefused
from application.ports.users import Users
from domain.account import User, lookup_key
from domain.ids import UserId
from domain.text import is_storable


class MemoryUsers(Users):
    """Names and e-mail addresses share one space, so that no lookup has two answers."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def add(self, user: UserId, *, name: str, email: str, password_hash: str, is_admin: bool) -> User:
        if not is_storable(name + email + password_hash):
            raise StoreRefused("the name or the e-mail address holds characters that cannot be stored")
        async with self._database.step():
            return self._add(
                User(
                    id=user,
                    name=name,
                    email=email,
                    password_hash=password_hash,
                    is_admin=is_admin,
                    is_disabled=False,
                    created_at=self._database.now(),
                )
            )

    async def get(self, user: UserId) -> User | None:
        async with self._database.step():
            return self._database.users.get(user)

    async def named(self, name_or_email: str) -> User | None:
        key = lookup_key(name_or_email)
        async with self._database.step():
            return next((user for user in self._database.users.values() if key in user.lookup_keys), None)

    async def all(self) -> tuple[User, ...]:
        async with self._database.step():
            return tuple(sorted(self._database.users.values(), key=lambda user: (user.created_at, user.id)))

    def _add(self, new: User) -> User:
        users = self._database.users
        known = users.get(new.id)
        if known is not None and known.lookup_keys == new.lookup_keys:
            return known
        if known is not None or any(new.lookup_keys & other.lookup_keys for other in users.values()):
            raise StoreRefused("the name or the e-mail address is taken")
        users[new.id] = new
        return new
