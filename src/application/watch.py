"""Following work as it goes: each look tells what has changed since the one before."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Final

from application.ports.clock import Clock
from application.ports.ledger import WorkLedger
from domain.ids import WorkItemId
from domain.outcomes import UnknownItem
from domain.page import EVERYTHING, Filter
from domain.work_item import Status, WorkItem

ACTIVE: Final = frozenset({Status.QUEUED, Status.RUNNING})
LARGEST_LOOK: Final = 200


class Watch:
    """Reads the ledger over and over. It compares revisions, so no two equal instants can hide a change."""

    def __init__(self, ledger: WorkLedger, clock: Clock) -> None:
        """Take what it needs."""
        self._ledger = ledger
        self._clock = clock

    async def item(self, item: WorkItemId, *, every: timedelta) -> AsyncIterator[WorkItem]:
        """The item as it stands, and again after each change; ends when the item is gone."""
        revision = 0
        while not isinstance(seen := await self._ledger.get(item), UnknownItem):
            if seen.revision > revision:
                revision = seen.revision
                yield seen
            await self._clock.sleep(every)

    async def changes(self, *, every: timedelta) -> AsyncIterator[tuple[WorkItem, ...]]:
        """What waits and runs, oldest change first; then, look by look, what has changed (perhaps nothing).

        A look sees the latest changes only, as many as a page holds: more than that between two looks
        are caught up with at the items' next change.
        """
        start = await self._ledger.page(Filter(statuses=ACTIVE), limit=LARGEST_LOOK)
        known = {item.id: item.revision for item in (await self._latest())}
        known |= {item.id: item.revision for item in start.items}
        yield start.items[::-1]
        while True:
            await self._clock.sleep(every)
            latest = await self._latest()
            yield tuple(item for item in latest[::-1] if item.revision > known.get(item.id, 0))
            known |= {item.id: item.revision for item in latest}

    async def _latest(self) -> tuple[WorkItem, ...]:
        return (await self._ledger.page(EVERYTHING, limit=LARGEST_LOOK)).items
