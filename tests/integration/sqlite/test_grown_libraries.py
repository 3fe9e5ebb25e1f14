"""Assets of an older version on SQLite."""

import pytest

from tests.contracts.grown_libraries import GrownLibraryContract


class TestGrownLibraryOnSqlite(GrownLibraryContract):
    @pytest.fixture
    def url(self, empty_sqlite_url: str) -> str:
        return empty_sqlite_url
