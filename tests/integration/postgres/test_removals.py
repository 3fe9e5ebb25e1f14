"""The removal of large configs on PostgreSQL."""

import pytest

from tests.contracts.removals import RemovalContract


class TestPostgresRemovals(RemovalContract):
    @pytest.fixture
    def url(self, postgres_url: str) -> str:
        return postgres_url
