"""Assets of an older version on PostgreSQL."""

import pytest

from tests.contracts.grown_libraries import GrownLibraryContract


class TestGrownLibraryOnPostgres(GrownLibraryContract):
    @pytest.fixture
    def url(self, empty_postgres_url: str) -> str:
        return empty_postgres_url
