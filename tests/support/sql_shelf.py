"""The media library of a real database."""

from adapters.sql.engine import Database
from adapters.sql.live_photos import SqlLivePhotos
from adapters.sql.media_failures import SqlMediaFailures
from adapters.sql.media_library import SqlMediaLibrary
from adapters.sql.storage_configs import SqlStorageConfigs
from adapters.sql.users import SqlUsers
from domain.ids import StorageConfigId, UserId
from tests.contracts.shelves import Shelf
from tests.support.builders import ids


async def a_sql_shelf(database: Database) -> Shelf:
    """An empty library, and two configs of one user."""
    user = UserId(ids.next())
    await SqlUsers(database).add(
        user, name=f"{user}", email=f"{user}@example.org", password_hash="-", is_admin=False
    )
    configs = StorageConfigId(ids.next()), StorageConfigId(ids.next())
    for config in configs:
        await SqlStorageConfigs(database).add(config, user=user, root_path=f"/photos/{config}")
    library = SqlMediaLibrary(database)
    return Shelf(
        library=library,
        assets=library,
        live_photos=SqlLivePhotos(database),
        failures=SqlMediaFailures(database),
        user=user,
        config=configs[0],
        other_config=configs[1],
    )
