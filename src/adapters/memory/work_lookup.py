"""Finding items by their ids, in memory."""

from uuid import UUID

from adapters.memory.database import MemoryDatabase
from application.ports.lookup import WorkLookup
from domain.ids import WorkItemId


class MemoryWorkLookup(WorkLookup):
    """The ids of one memory database."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def between(self, first: UUID, last: UUID, *, limit: int) -> tuple[WorkItemId, ...]:
        async with self._database.step():
            return tuple(sorted(id_ for id_ in self._database.work_items if first <= id_ <= last)[:limit])
