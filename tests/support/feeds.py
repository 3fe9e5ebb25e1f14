"""A change feed that changes only when its test says so, and counts how often it is asked."""

import asyncio
from dataclasses import dataclass, field

from application.ports.change_feed import ChangeFeed
from application.ports.errors import StoreUnavailable
from domain.feed import Changes, CursorLost, FeedAnswer, FeedCursor, Lost, NoCursor, Rest
from domain.ids import WorkItemId
from domain.work_item import WorkItem
from tests.support.builders import a_new_item
from tests.support.clock import START

Change = WorkItem | WorkItemId


@dataclass(slots=True)
class ScriptedFeed(ChangeFeed):
    """Its cursors are `c.0`, `c.1`, ...: how many changes there were. Cursors before `lost_before` are lost.

    An id in the log is an item that went. `asked` counts the statements; with `answers_left` set it is away
    after so many. The answer to a cursor in `held` is known at once, and arrives when its event is set.
    """

    log: list[Change] = field(default_factory=list)
    lost_before: int = 0
    is_away: bool = False
    answers_left: int | None = None
    asked: int = 0
    held: dict[str, asyncio.Event] = field(default_factory=dict)

    def change(self, *changes: Change) -> None:
        """Let this happen, in this order."""
        self.log += changes

    async def here(self) -> FeedCursor:
        self._ask()
        return self._cursor()

    async def since(self, cursor: FeedCursor, *, limit: int) -> FeedAnswer:
        self._ask()
        prefix, _, number = cursor.partition(".")
        if not number.isdecimal():
            return NoCursor()
        if prefix != "c":
            return CursorLost(Lost.EPOCH, self._cursor())
        if int(number) < self.lost_before:
            return CursorLost(Lost.EXPIRED, self._cursor())
        found = self._part(int(number), len(self.log), limit)
        if cursor in self.held:
            await self.held[cursor].wait()
        return found

    async def rest(self, rest: Rest, *, limit: int) -> Changes:
        self._ask()
        start, end = map(int, rest.split("-"))
        return self._part(start, end, limit)

    def _part(self, start: int, end: int, limit: int) -> Changes:
        some = self.log[start : min(end, start + limit)]
        more = start + limit < end
        return Changes(
            items=tuple(change for change in some if isinstance(change, WorkItem)),
            removed=tuple(change for change in some if not isinstance(change, WorkItem)),
            cursor=FeedCursor(f"c.{end}"),
            rest=Rest(f"{start + limit}-{end}") if more else None,
        )

    def _cursor(self) -> FeedCursor:
        return FeedCursor(f"c.{len(self.log)}")

    def _ask(self) -> None:
        self.asked += 1
        if self.answers_left is not None:
            self.is_away = self.answers_left == 0
            self.answers_left = max(0, self.answers_left - 1)
        if self.is_away:
            raise StoreUnavailable("away")


def an_item(*, kind: str = "crawl") -> WorkItem:
    """An item that waits."""
    return a_new_item(kind=kind).queued_at(START)
