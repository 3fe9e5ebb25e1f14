"""Following work as it goes: each look tells what has changed since the one before."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from application.ports.change_feed import ChangeFeed
from application.ports.clock import Clock
from application.ports.ledger import WorkLedger
from domain.feed import Changes, CursorLost, FeedAnswer, FeedCursor, NoCursor
from domain.ids import WorkItemId
from domain.outcomes import UnknownItem
from domain.page import Filter, Page, PlaceLost
from domain.work_item import TERMINAL, Status, WorkItem

ACTIVE: Final = Filter(statuses=frozenset({Status.QUEUED, Status.RUNNING}))
LARGEST_LOOK: Final = 200


@dataclass(frozen=True, slots=True)
class Look:
    """What has changed, oldest change first, and what is gone; perhaps nothing."""

    items: tuple[WorkItem, ...]
    removed: tuple[WorkItemId, ...] = ()


@dataclass(frozen=True, slots=True)
class _Standing:
    """Everything that waits or runs, and the cursor of somebody who knows that."""

    items: tuple[WorkItem, ...]
    cursor: FeedCursor


class Watch:
    """Follows one item by its revisions, and the whole queue by the change feed: neither misses a last change."""

    def __init__(self, ledger: WorkLedger, feed: ChangeFeed, clock: Clock) -> None:
        """Take what it needs."""
        self._ledger = ledger
        self._feed = feed
        self._clock = clock

    async def item(self, item: WorkItemId, *, every: timedelta) -> AsyncIterator[WorkItem]:
        """The item as it stands, and again after each change; ends when the item is gone."""
        revision = 0
        while not isinstance(seen := await self._ledger.get(item), UnknownItem):
            if seen.revision > revision:
                revision = seen.revision
                yield seen
            await self._clock.sleep(every)

    async def changes(self, *, every: timedelta) -> AsyncIterator[Look]:
        """What waits and runs; then, look by look, whatever has changed, late commits and removals included."""
        start = await self._standing()
        active, cursor = {item.id: item for item in start.items}, start.cursor
        yield Look(start.items)
        while True:
            await self._clock.sleep(every)
            answer: FeedAnswer | None = await self._feed.since(cursor, limit=LARGEST_LOOK)
            while answer is not None:
                look, answer, cursor = await self._told(answer, active)
                yield look
                _take(active, look)

    async def _told(
        self, answer: FeedAnswer, active: dict[WorkItemId, WorkItem]
    ) -> tuple[Look, Changes | None, FeedCursor]:
        match answer:
            case Changes():
                new = tuple(item for item in answer.items if not _is_known(item, active))
                more = None
                if answer.rest is not None:
                    more = await self._feed.rest(answer.rest, limit=LARGEST_LOOK)
                return Look(new, answer.removed), more, answer.cursor
            case CursorLost() | NoCursor():
                start = await self._standing()
                return await self._caught_up(start.items, active), None, start.cursor

    async def _standing(self) -> _Standing:
        """Read from the newest change to the oldest, so that the first page's cursor covers the others."""
        page = await self._ledger.page(ACTIVE, limit=LARGEST_LOOK)
        assert isinstance(page, Page)  # noqa: S101 -- a first page has no place to lose
        cursor, found = page.cursor, [*page.items]
        while page.next is not None:
            further = await self._ledger.page(ACTIVE, limit=LARGEST_LOOK, after=page.next)
            if isinstance(further, PlaceLost):
                return await self._standing()
            page = further
            found += page.items
        return _Standing(tuple(reversed(found)), cursor)

    async def _caught_up(self, now: Sequence[WorkItem], before: dict[WorkItemId, WorkItem]) -> Look:
        """What a reader of `before` has missed who finds this active `now`."""
        still = {item.id for item in now}
        ended = {item: await self._ledger.get(item) for item in before if item not in still}
        changed = [*ended.values(), *(item for item in now if not _is_known(item, before))]
        return Look(
            tuple(item for item in changed if isinstance(item, WorkItem)),
            tuple(item for item, found in ended.items() if isinstance(found, UnknownItem)),
        )


def _is_known(item: WorkItem, active: dict[WorkItemId, WorkItem]) -> bool:
    return item.id in active and active[item.id].revision >= item.revision


def _take(active: dict[WorkItemId, WorkItem], look: Look) -> None:
    for item in look.items:
        active[item.id] = item
    for id_ in (*look.removed, *(item.id for item in look.items if item.status in TERMINAL)):
        active.pop(id_, None)
