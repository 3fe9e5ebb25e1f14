"""Accounts, folders, tokens and presences, in memory."""

import pytest

from tests.contracts.account_changes import AccountChangesContract
from tests.contracts.presences import PresencesContract
from tests.contracts.refresh_tokens import RefreshTokensContract
from tests.contracts.sign_in_failures import SignInFailuresContract
from tests.contracts.storage_configs import StorageConfigsContract
from tests.contracts.users import UsersContract
from tests.support.accounts import Accounts, memory_accounts


class InMemory:
    @pytest.fixture
    def accounts(self) -> Accounts:
        return memory_accounts()


class TestMemoryUsers(InMemory, UsersContract):
    pass


class TestMemoryStorageConfigs(InMemory, StorageConfigsContract):
    pass


class TestMemoryRefreshTokens(InMemory, RefreshTokensContract):
    pass


class TestMemorySignInFailures(InMemory, SignInFailuresContract):
    pass


class TestMemoryAccountChanges(InMemory, AccountChangesContract):
    pass


class TestMemoryPresences(InMemory, PresencesContract):
    pass
