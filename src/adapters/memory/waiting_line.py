"""Who is first in line, in memory."""

from adapters.memory.database import MemoryDatabase
from application.ports.waiting_line import Heads, WaitingLine
from domain.ids import KindName, StorageConfigId
from domain.outlook import Head
from domain.work_item import Queued


class MemoryWaitingLine(WaitingLine):
    """The line of one memory database."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def heads(self, kinds: frozenset[KindName]) -> Heads:
        async with self._database.step():
            now = self._database.now()
            firsts: dict[tuple[KindName, StorageConfigId | None], Head] = {}
            for item in sorted(
                self._database.work_items.values(), key=lambda item: (item.requested_at, item.id)
            ):
                ready = isinstance(item.state, Queued) and (item.state.run_after or now) <= now
                if ready and item.kind in kinds:
                    lane = (item.kind, item.storage_config_id)
                    firsts.setdefault(lane, Head(item.id, item.requested_at, item.storage_config_id))
            return Heads(tuple(firsts.values()), now)
