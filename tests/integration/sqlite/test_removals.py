"""The removal of large configs on SQLite."""

import pytest

from tests.contracts.removals import RemovalContract


class TestSqliteRemovals(RemovalContract):
    @pytest.fixture
    def url(self, sqlite_url: str) -> str:
        return sqlite_url
