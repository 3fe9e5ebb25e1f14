"""The media library on PostgreSQL."""

from collections.abc import AsyncIterator

import pytest

from adapters.sql.engine import Database
from tests.contracts.library_changes import LibraryChangesContract
from tests.contracts.live_photos import LivePhotosContract
from tests.contracts.media_failures import MediaFailuresContract
from tests.contracts.media_library import MediaLibraryContract
from tests.contracts.shelves import Shelf
from tests.support.sql_shelf import a_sql_shelf


@pytest.fixture
async def shelf(postgres_url: str) -> AsyncIterator[Shelf]:
    database = Database(postgres_url)
    yield await a_sql_shelf(database)
    await database.close()


class TestPostgresMediaLibrary(
    MediaLibraryContract, LibraryChangesContract, LivePhotosContract, MediaFailuresContract
):
    """All of them."""
