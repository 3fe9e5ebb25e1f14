"""Accounts, folders, tokens and presences, on PostgreSQL."""

from collections.abc import AsyncIterator

import pytest

from tests.contracts.presences import PresencesContract
from tests.contracts.refresh_tokens import RefreshTokensContract
from tests.contracts.storage_configs import StorageConfigsContract
from tests.contracts.users import UsersContract
from tests.support.accounts import Accounts, sql_accounts


class OnPostgres:
    @pytest.fixture
    async def accounts(self, postgres_url: str) -> AsyncIterator[Accounts]:
        async with sql_accounts(postgres_url) as accounts:
            yield accounts


class TestPostgresUsers(OnPostgres, UsersContract):
    pass


class TestPostgresStorageConfigs(OnPostgres, StorageConfigsContract):
    pass


class TestPostgresRefreshTokens(OnPostgres, RefreshTokensContract):
    pass


class TestPostgresPresences(OnPostgres, PresencesContract):
    pass
