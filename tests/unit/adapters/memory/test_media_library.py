"""The memory library keeps every promise of a media library."""

import pytest

from adapters.memory.database import MemoryDatabase
from adapters.memory.media_library import MemoryMediaLibrary
from tests.contracts.media_library import MediaLibraryContract, Shelf
from tests.support.clock import ManualClock
from tests.support.memory import a_memory_house


class TestMemoryMediaLibrary(MediaLibraryContract):
    @pytest.fixture
    async def shelf(self) -> Shelf:
        clock = ManualClock()
        house = a_memory_house(clock)
        assert isinstance(house.transactions, MemoryDatabase)
        library = MemoryMediaLibrary(house.transactions)
        return Shelf(library, await house.a_config(), await house.a_config())
