"""The media library on SQLite."""

from collections.abc import AsyncIterator

import pytest

from adapters.sql.engine import Database
from tests.contracts.media_library import MediaLibraryContract, Shelf
from tests.support.sql_shelf import a_sql_shelf


class TestSqliteMediaLibrary(MediaLibraryContract):
    @pytest.fixture
    async def shelf(self, sqlite_url: str) -> AsyncIterator[Shelf]:
        database = Database(sqlite_url)
        yield await a_sql_shelf(database)
        await database.close()
