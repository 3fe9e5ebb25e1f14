"""Accounts, folders, tokens and presences, on SQLite."""

from collections.abc import AsyncIterator

import pytest

from tests.contracts.account_changes import AccountChangesContract
from tests.contracts.presences import PresencesContract
from tests.contracts.refresh_tokens import RefreshTokensContract
from tests.contracts.sign_in_failures import SignInFailuresContract
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


class TestSqliteSignInFailures(OnSqlite, SignInFailuresContract):
    pass


class TestSqliteAccountChanges(OnSqlite, AccountChangesContract):
    pass


class TestSqlitePresences(OnSqlite, PresencesContract):
    pass
