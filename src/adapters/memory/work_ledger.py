"""Reading the queue in memory."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime

from adapters.memory.database import MemoryDatabase
from application.ports.ledger import Histories, WorkLedger
from domain.attempt import EndedAttempt
from domain.due import KeyHistory
from domain.ids import DedupKey, KindName, WorkItemId
from domain.outcomes import UnknownItem
from domain.page import Counts, Filter, Page, PageCursor, PlaceLost, Schedule
from domain.work_item import Cancelled, Failed, Queued, Running, Status, Succeeded, WorkItem


class MemoryWorkLedger(WorkLedger):
    """Every read is one step, too: it never sees half a transaction."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database
        self._items = database.work_items

    async def get(self, item: WorkItemId) -> WorkItem | UnknownItem:
        async with self._database.step():
            return self._items.get(item, UnknownItem())

    async def page(self, which: Filter, *, limit: int, after: PageCursor | None = None) -> Page | PlaceLost:
        async with self._database.step():
            count = self._database.changes.count
            if after is not None and after.epoch != count.epoch:
                return PlaceLost()
            shown = sorted(
                (item for item in self._items.values() if _shows(which, item)), key=self._place, reverse=True
            )
            if after is not None:
                shown = [item for item in shown if self._place(item) < (after.position, after.id)]
            items = tuple(shown[:limit])
            more = PageCursor(count.epoch, *self._place(items[-1])) if len(shown) > limit else None
            return Page(items, more, self._database.now(), count.cursor)

    async def counts(self) -> Counts:
        async with self._database.step():
            by_kind: defaultdict[KindName, Counter[Status]] = defaultdict(Counter)
            for item in self._items.values():
                by_kind[item.kind][item.status] += 1
            waiting = [item.requested_at for item in self._items.values() if item.status is Status.QUEUED]
            return Counts(dict(by_kind), min(waiting, default=None), self._database.now())

    async def attempts(self, item: WorkItemId) -> tuple[EndedAttempt, ...]:
        async with self._database.step():
            return self._database.attempts.get(item, ())

    async def histories(self, keys: frozenset[DedupKey]) -> Histories:
        async with self._database.step():
            known = {key: history for key, history in self.all_histories().items() if key in keys}
            return Histories(known, self._database.now())

    def _place(self, item: WorkItem) -> tuple[int, WorkItemId]:
        return self._database.changes.positions[item.id], item.id

    def running(self) -> Iterator[tuple[WorkItem, Running]]:
        """Each running item."""
        for item in self._items.values():
            if isinstance(item.state, Running):
                yield item, item.state

    def finished(self) -> Iterator[tuple[WorkItem, datetime]]:
        """Each finished item, and when it finished."""
        for item in self._items.values():
            if isinstance(item.state, Succeeded | Failed | Cancelled):
                yield item, item.state.finished_at

    def all_histories(self) -> dict[DedupKey, KeyHistory]:
        """What is known of every dedup key."""
        last: dict[DedupKey, datetime] = {}
        for item, finished_at in self.finished():
            if item.dedup_key is not None:
                last[item.dedup_key] = max(finished_at, last.get(item.dedup_key, finished_at))
        active = {
            item.dedup_key
            for item in self._items.values()
            if item.dedup_key is not None and isinstance(item.state, Queued | Running)
        }
        return {key: KeyHistory(key in active, last.get(key)) for key in active | last.keys()}


def _shows(which: Filter, item: WorkItem) -> bool:
    return (
        (not which.statuses or item.status in which.statuses)
        and (not which.kinds or item.kind in which.kinds)
        and which.storage_config_id in (None, item.storage_config_id)
        and which.requested_by in (None, item.requested_by or Schedule())
    )
