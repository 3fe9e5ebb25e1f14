"""Accounts, folders, tokens and presences, on SQLite."""

from collections.abc import AsyncIterator

import pytest

from tests.contracts.presences import PresencesContract
from tests.contracts.refresh_tokens import RefreshTokensContract
from tests.contracts.storage_configs import StorageConfigsContract
from tests.contracts.users import UsersContract
from tests.support.accounts import Accounts, sql_accounts


class OnSqlite:
    @pytest.fixture
    async def accounts(self, sqlite_url: str) -> AsyncIterator[Accounts]:
        async with sql_accounts(sqlite_url) as accounts:
            yield accounts


class TestSqliteUsers(OnSqlite, UsersContract):
    pass


class TestSqliteStorageConfigs(OnSqlite, StorageConfigsContract):
    pass


class TestSqliteRefreshTokens(OnSqlite, RefreshTokensContract):
    pass


class TestSqlitePresences(OnSqlite, PresencesContract):
    pass
