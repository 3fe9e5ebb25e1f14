"""Which change of the queue came when, in memory: a number for each, and what is known of items that are gone."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from domain.counted_cursor import Count
from domain.feed import Epoch
from domain.ids import WorkItemId
from domain.work_item import WorkItem

EPOCH_BYTES: Final = 4
NEWEST, PURGED = "newest", "purged"


@dataclass(frozen=True, slots=True)
class Tombstone:
    """That an item went, and when."""

    position: int
    deleted_at: datetime


class ChangeLog:
    """Counts changes. All it knows is in tables, so that a transaction that rolls back was never counted."""

    def __init__(self, make_table: Callable[[], dict[Any, Any]], now: Callable[[], datetime]) -> None:
        self._now = now
        self._marks: dict[str, int] = make_table()
        self.positions: dict[WorkItemId, int] = make_table()
        self.tombstones: dict[WorkItemId, Tombstone] = make_table()
        self.epoch = Epoch(secrets.token_hex(EPOCH_BYTES))

    @property
    def count(self) -> Count:
        """How far it has counted."""
        return Count(self.epoch, self._marks.get(NEWEST, 0), self._marks.get(PURGED, 0))

    def changed(self, item: WorkItemId) -> None:
        """Count a change of the item. One that comes back under the id of one that went is just another change."""
        self.tombstones.pop(item, None)
        self.positions[item] = self._next()

    def removed(self, item: WorkItemId) -> None:
        """Count that the item went."""
        del self.positions[item]
        self.tombstones[item] = Tombstone(self._next(), self._now())

    def purge(self, before: datetime, *, limit: int) -> int:
        """Forget the oldest tombstones; how many they were."""
        oldest = sorted(self.tombstones.items(), key=lambda grave: grave[1].position)
        leaving = [(item, grave) for item, grave in oldest if grave.deleted_at < before][:limit]
        for item, grave in leaving:
            del self.tombstones[item]
            self._marks[PURGED] = max(grave.position, self._marks.get(PURGED, 0))
        return len(leaving)

    def number_anew(self) -> None:
        """Be the log of another history from now on, as after a restored copy."""
        self.epoch = Epoch(secrets.token_hex(EPOCH_BYTES))

    def _next(self) -> int:
        self._marks[NEWEST] = self._marks.get(NEWEST, 0) + 1
        return self._marks[NEWEST]


class RecordedItems(dict[WorkItemId, WorkItem]):
    """The table of items. Whoever writes to it, the log learns of it."""

    def __init__(self, log: ChangeLog) -> None:
        super().__init__()
        self._log = log

    def __setitem__(self, item: WorkItemId, row: WorkItem) -> None:
        super().__setitem__(item, row)
        self._log.changed(item)

    def __delitem__(self, item: WorkItemId) -> None:
        super().__delitem__(item)
        self._log.removed(item)

    def clear(self) -> None:
        for item in list(self):
            del self[item]
