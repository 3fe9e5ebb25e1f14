"""Accounts, folders, tokens and presences, on PostgreSQL."""

from collections.abc import AsyncIterator

import psycopg
import pytest
import sqlalchemy as sa

from tests.contracts.account_changes import AccountChangesContract
from tests.contracts.presences import PresencesContract, a_presence
from tests.contracts.refresh_tokens import RefreshTokensContract
from tests.contracts.sign_in_failures import SignInFailuresContract
from tests.contracts.storage_configs import StorageConfigsContract
from tests.contracts.users import UsersContract
from tests.support.accounts import Accounts, sql_accounts
from tests.support.builders import ADA


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


class TestPostgresSignInFailures(OnPostgres, SignInFailuresContract):
    pass


class TestPostgresAccountChanges(OnPostgres, AccountChangesContract):
    pass


class TestPostgresPresences(OnPostgres, PresencesContract):
    async def test_to_be_seen_again_takes_one_statement(self, accounts: Accounts, postgres_url: str) -> None:
        await accounts.presences.seen(a_presence(ADA))
        await accounts.presences.seen(a_presence(ADA))

        assert [query.split()[:2] for query in latest_queries(postgres_url)] == [["UPDATE", "workers"]]


def latest_queries(postgres_url: str) -> list[str]:
    """The last statement of each session, as the server sees it: a COMMIT would be one."""
    libpq = sa.make_url(postgres_url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(libpq) as other:
        sessions = other.execute(
            "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND query <> ''"
        )
        return [query for (query,) in sessions]
