"""The ports around people, as their contracts use them, and what only tests do to those stores."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

import sqlalchemy as sa

from adapters.memory.account_changes import MemoryAccountChanges
from adapters.memory.database import MemoryDatabase
from adapters.memory.presences import MemoryPresences
from adapters.memory.refresh_tokens import MemoryRefreshTokens
from adapters.memory.sign_in_failures import MemorySignInFailures
from adapters.memory.storage_configs import MemoryStorageConfigs
from adapters.memory.users import MemoryUsers
from adapters.sql.account_changes import SqlAccountChanges
from adapters.sql.engine import Database
from adapters.sql.presences import SqlPresences
from adapters.sql.refresh_tokens import SqlRefreshTokens
from adapters.sql.session_tables import refresh_tokens, sessions, sign_in_failures
from adapters.sql.sign_in_failures import SqlSignInFailures
from adapters.sql.storage_configs import SqlStorageConfigs
from adapters.sql.tables import workers
from adapters.sql.users import SqlUsers
from application.ports.account_changes import AccountChanges
from application.ports.presence import Presences
from application.ports.refresh_tokens import RefreshTokens
from application.ports.sign_in_failures import SignInFailures
from application.ports.storage_configs import ConfigSwitch, StorageConfigs
from application.ports.users import Users
from domain.account import User
from domain.ids import StorageConfigId, UserId
from tests.support.builders import ids
from tests.support.clock import ManualClock
from tests.support.memory import MemoryPokes
from tests.support.sql import SqlPokes


class AccountPokes(Protocol):
    """What tests do to these stores that no port allows."""

    async def age(self, duration: timedelta) -> None:
        """Let time pass for every row: move the store's clock on, or every instant of every table back."""
        ...

    async def deactivate(self, config: StorageConfigId) -> None:
        """Make a config inactive."""
        ...

    async def token_count(self) -> int:
        """How many refresh tokens are kept."""
        ...

    async def session_count(self) -> int:
        """How many sessions are kept."""
        ...

    async def failure_count(self) -> int:
        """How many suspects are kept."""
        ...

    async def presence_count(self) -> int:
        """How many presence rows are kept, those included that nobody is shown any more."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """A store in which nothing has happened yet."""

    users: Users
    changes: AccountChanges
    failures: SignInFailures
    storage_configs: StorageConfigs
    config_switch: ConfigSwitch
    refresh_tokens: RefreshTokens
    presences: Presences
    pokes: AccountPokes

    async def a_user(
        self, name: str | None = None, *, email: str | None = None, is_admin: bool = False
    ) -> User:
        """Somebody new."""
        user = UserId(ids.next())
        name = name or f"user-{user}"
        email = email or f"{user}@example.org"
        return await self.users.add(user, name=name, email=email, password_hash="-", is_admin=is_admin)


def memory_accounts() -> Accounts:
    """In memory."""
    clock = ManualClock()
    database = MemoryDatabase(clock)
    failures = MemorySignInFailures(database)
    presences = MemoryPresences(database)
    return Accounts(
        users=MemoryUsers(database),
        changes=MemoryAccountChanges(database),
        failures=failures,
        storage_configs=MemoryStorageConfigs(database),
        config_switch=MemoryStorageConfigs(database),
        refresh_tokens=MemoryRefreshTokens(database),
        presences=presences,
        pokes=_MemoryPokes(database, clock, failures, presences),
    )


@asynccontextmanager
async def sql_accounts(url: str) -> AsyncIterator[Accounts]:
    """In the database there."""
    database = Database(url)
    yield Accounts(
        users=SqlUsers(database),
        changes=SqlAccountChanges(database),
        failures=SqlSignInFailures(database),
        storage_configs=SqlStorageConfigs(database),
        config_switch=SqlStorageConfigs(database),
        refresh_tokens=SqlRefreshTokens(database),
        presences=SqlPresences(database),
        pokes=_SqlPokes(database),
    )
    await database.close()


class _MemoryPokes(MemoryPokes):
    def __init__(
        self,
        database: MemoryDatabase,
        clock: ManualClock,
        failures: MemorySignInFailures,
        presences: MemoryPresences,
    ) -> None:
        super().__init__(database, clock)
        self._tables = database
        self._failures = failures
        self._presences = presences

    async def token_count(self) -> int:
        return len(self._tables.refresh_tokens)

    async def session_count(self) -> int:
        return len(self._tables.sessions)

    async def failure_count(self) -> int:
        return len(self._failures.rows)

    async def presence_count(self) -> int:
        return len(self._presences.rows)


class _SqlPokes(SqlPokes):
    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._store = database

    async def token_count(self) -> int:
        return await self._count(refresh_tokens)

    async def session_count(self) -> int:
        return await self._count(sessions)

    async def failure_count(self) -> int:
        return await self._count(sign_in_failures)

    async def presence_count(self) -> int:
        return await self._count(workers)

    async def _count(self, table: sa.Table) -> int:
        query = sa.select(sa.func.count()).select_from(table)
        return await self._store.read(lambda connection: connection.execute(query).scalar_one())
