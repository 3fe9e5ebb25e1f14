"""How finished items leave. Only the retention handler may use it."""

from datetime import timedelta
from typing import Protocol


class FinishedWork(Protocol):
    """Deletes finished items."""

    async def purge(self, *, older_than: timedelta, limit: int) -> int:
        """Delete at most `limit` items that finished longer ago than this, oldest first; how many it were.

        Never the newest finished item of a dedup key, since due-ness reads it, and never one that is not
        finished. One short transaction a call (R29); 0 means that nothing is left to delete.
        """
        ...

    async def purge_tombstones(self, *, older_than: timedelta, limit: int) -> int:
        """Forget that items went longer ago than this: at most `limit` of them, oldest first; how many it were.

        Whoever has not heard of one that is forgotten is told `cursor-expired` by the change feed.
        """
        ...
