"""The change feed in memory."""

from collections.abc import Iterator

from adapters.memory.database import MemoryDatabase
from application.ports.change_feed import ChangeFeed
from application.ports.errors import StoreUnavailable
from domain.counted_cursor import CountedCursor, CountedRest, judged, rest_from
from domain.feed import Changes, CursorLost, FeedAnswer, FeedCursor, NoCursor, Rest
from domain.ids import WorkItemId


class MemoryChangeFeed(ChangeFeed):
    """Each look is one step: it never sees half a transaction."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database
        self._log = database.changes

    async def here(self) -> FeedCursor:
        async with self._database.step():
            return self._log.count.cursor

    async def since(self, cursor: FeedCursor, *, limit: int) -> FeedAnswer:
        async with self._database.step():
            count = self._log.count
            match judged(cursor, count):
                case CountedCursor(number=known):
                    return self._look(CountedRest(count.epoch, seen=count.newest, told=known), limit)
                case CursorLost() | NoCursor() as lost:
                    return lost

    async def rest(self, rest: Rest, *, limit: int) -> Changes:
        async with self._database.step():
            left, count = rest_from(rest), self._log.count
            if not left.is_readable(count):
                raise StoreUnavailable("The look cannot be gone on with: begin again from its cursor.")
            return self._look(left, limit)

    def _look(self, left: CountedRest, limit: int) -> Changes:
        found = sorted(
            (position, item) for position, item in self._changes() if left.told < position <= left.seen
        )
        told, items = found[:limit], self._database.work_items
        more = CountedRest(left.epoch, left.seen, told[-1][0]) if len(found) > limit else None
        return Changes(
            items=tuple(items[item] for _, item in told if item in items),
            removed=tuple(item for _, item in told if item not in items),
            cursor=CountedCursor(left.epoch, left.seen).text,
            rest=None if more is None else more.text,
        )

    def _changes(self) -> Iterator[tuple[int, WorkItemId]]:
        for item, position in self._log.positions.items():
            yield position, item
        for item, grave in self._log.tombstones.items():
            yield grave.position, item
