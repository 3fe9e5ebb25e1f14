"""The memory library keeps every promise of a media library."""

import pytest

from adapters.memory.database import MemoryDatabase
from adapters.memory.media_library import MemoryMediaFailures, MemoryMediaLibrary
from domain.ids import StorageConfigId
from tests.contracts.library_changes import LibraryChangesContract
from tests.contracts.live_photos import LivePhotosContract
from tests.contracts.media_failures import MediaFailuresContract
from tests.contracts.media_library import MediaLibraryContract
from tests.contracts.shelves import Shelf
from tests.support.builders import ids
from tests.support.memory import a_memory_house


@pytest.fixture
async def shelf() -> Shelf:
    house = a_memory_house()
    assert isinstance(house.transactions, MemoryDatabase)
    user = await house.a_user()
    configs = StorageConfigId(ids.next()), StorageConfigId(ids.next())
    for config in configs:
        await house.storage_configs.add(config, user=user, root_path=f"/photos/{config}")
    library = MemoryMediaLibrary(house.transactions)
    return Shelf(
        library=library,
        assets=library,
        live_photos=library,
        failures=MemoryMediaFailures(house.transactions),
        user=user,
        config=configs[0],
        other_config=configs[1],
    )


class TestMemoryMediaLibrary(
    MediaLibraryContract, LibraryChangesContract, LivePhotosContract, MediaFailuresContract
):
    """All of them."""
