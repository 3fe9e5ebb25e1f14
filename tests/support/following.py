"""Somebody who follows the change feed as a client does: their view must end up as what the store holds."""

from dataclasses import dataclass, field

from application.ports.change_feed import ChangeFeed
from application.ports.ledger import WorkLedger
from domain.feed import Changes, CursorLost, FeedCursor, NoCursor, Rest
from domain.ids import WorkItemId
from domain.work_item import WorkItem
from tests.support.reading import everything


@dataclass(slots=True)
class Follower:
    """Holds items by their ids, and believes nothing but the feed and, if it is lost, the list."""

    feed: ChangeFeed
    ledger: WorkLedger
    cursor: FeedCursor
    view: dict[WorkItemId, WorkItem] = field(default_factory=dict)
    told: list[WorkItemId] = field(default_factory=list)
    resets: int = 0

    async def catch_up(self, *, limit: int = 100) -> None:
        """Look once, and read all of the look."""
        changes = await self.look(limit=limit)
        while changes is not None and changes.rest is not None:
            changes = self.take(await self.feed.rest(changes.rest, limit=limit))
        if changes is not None:
            self.cursor = changes.cursor

    async def look(self, *, limit: int) -> Changes | None:
        """The first part of a look; None for one that had to begin anew. The cursor stays."""
        match await self.feed.since(self.cursor, limit=limit):
            case Changes() as changes:
                return self.take(changes)
            case CursorLost(cursor=cursor):
                self.resets += 1
                self.view = await everything(self.ledger)
                self.cursor = cursor
                return None
            case NoCursor():
                raise AssertionError(self.cursor)

    async def read_on(self, rest: Rest, *, limit: int) -> Changes:
        """The next part."""
        return self.take(await self.feed.rest(rest, limit=limit))

    def take(self, changes: Changes) -> Changes:
        """Believe it. What is older than what is known is a repeat, and harmless."""
        for item in changes.items:
            known = self.view.get(item.id)
            if known is None or known.revision <= item.revision:
                self.view[item.id] = item
            self.told.append(item.id)
        for gone in changes.removed:
            self.view.pop(gone, None)
            self.told.append(gone)
        return changes


async def a_follower(feed: ChangeFeed, ledger: WorkLedger) -> Follower:
    """One who begins now, with everything that there is."""
    cursor = await feed.here()
    return Follower(feed, ledger, cursor, await everything(ledger))
