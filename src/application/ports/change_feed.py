"""Every change of the queue, in order, told as often as somebody asks (S-30)."""

from typing import Protocol

from domain.feed import Changes, FeedAnswer, FeedCursor, Rest


class ChangeFeed(Protocol):
    """Reads what has changed. A change that commits late is told late, but it is told."""

    async def here(self) -> FeedCursor:
        """The cursor of somebody who has just read everything that can be seen."""
        ...

    async def since(self, cursor: FeedCursor, *, limit: int) -> FeedAnswer:
        """Whatever was not visible at the cursor and is now, at most `limit` items and gone ids together.

        All of one instant, on the primary only, and no transaction is held between two calls. A cursor of another
        epoch, of the future, or older than what is known of deleted items is answered `CursorLost`.
        """
        ...

    async def rest(self, rest: Rest, *, limit: int) -> Changes:
        """The next part of a look that had more than its limit: of the same instant, so its cursor is the same.

        What changed since that instant is left to the next look from the cursor.
        """
        ...
