"""The media library on PostgreSQL."""

from collections.abc import AsyncIterator

import pytest

from adapters.sql.engine import Database
from tests.contracts.media_library import MediaLibraryContract, Shelf
from tests.support.sql_shelf import a_sql_shelf


class TestPostgresMediaLibrary(MediaLibraryContract):
    @pytest.fixture
    async def shelf(self, postgres_url: str) -> AsyncIterator[Shelf]:
        database = Database(postgres_url)
        yield await a_sql_shelf(database)
        await database.close()
