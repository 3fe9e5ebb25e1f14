"""The memory store as a house."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from adapters.memory.change_feed import MemoryChangeFeed
from adapters.memory.database import MemoryDatabase
from adapters.memory.storage_configs import MemoryStorageConfigs
from adapters.memory.users import MemoryUsers
from adapters.memory.work_store import MemoryWorkStore
from domain.ids import StorageConfigId
from domain.work_item import WorkItem
from tests.support.clock import ManualClock
from tests.support.house import House


class MemoryPokes:
    """Time passes by moving the clock."""

    def __init__(self, database: MemoryDatabase, clock: ManualClock) -> None:
        self._database = database
        self._clock = clock

    async def age(self, duration: timedelta) -> None:
        self._clock.advance(duration)

    async def put(self, item: WorkItem) -> None:
        self._database.work_items[item.id] = item

    async def clear(self) -> None:
        database = self._database
        tables: tuple[dict[Any, Any], ...] = (
            database.users,
            database.storage_configs,
            database.work_items,
            database.attempts,
            database.media_assets,
            database.sweep_findings,
            database.request_keys,
        )
        for table in tables:
            table.clear()

    async def deactivate(self, config: StorageConfigId) -> None:
        configs = self._database.storage_configs
        configs[config] = replace(configs[config], is_active=False)


def a_memory_house(clock: ManualClock | None = None) -> House:
    """An empty one, whose time is this clock's."""
    clock = clock or ManualClock()
    database = MemoryDatabase(clock)
    return House(
        store=MemoryWorkStore(database),
        transactions=database,
        users=MemoryUsers(database),
        storage_configs=MemoryStorageConfigs(database),
        feed=MemoryChangeFeed(database),
        pokes=MemoryPokes(database, clock),
    )
