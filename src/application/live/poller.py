"""The one who looks: at each look everything that changed goes into the ring, encoded once for everybody."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Final, assert_never

from application.live.options import LiveOptions
from application.live.parts import LiveParts
from application.live.ring import Ring
from application.live.stats import StreamStats
from application.ports.journal import MachineFault
from application.ports.stream_frames import Overflow, Reset
from application.waiting import first_of
from domain.feed import Changes, CursorLost, FeedCursor, Lost, NoCursor

PART: Final = "live stream"

STALE_AFTER: Final = timedelta(seconds=60)
"""A ring that nobody has filled for longer is not caught up with: whoever comes back catches up alone."""


class Poller:
    """Fills the ring while somebody listens."""

    def __init__(self, parts: LiveParts, options: LiveOptions, stats: StreamStats) -> None:
        """Look at nothing yet."""
        self._feed = parts.feed
        self._frames = parts.frames
        self._clock = parts.clock
        self._journal = parts.journal
        self._options = options
        self._soonest = min(options.soonest, options.poll)
        self._stats = stats
        self._ring: Ring | None = None
        self._looked_at = parts.clock.monotonic()
        self._hinted = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()

    async def ring(self, *, is_listened: bool) -> Ring:
        """The ring, with whatever could be seen a moment ago before its end. Raises `StoreUnavailable`.

        `is_listened`: whether somebody listens already, so that the ring is being filled.
        """
        async with self._one_at_a_time:
            is_stale = self._clock.monotonic() - self._looked_at > STALE_AFTER
            if self._ring is None:
                cursor = await self._here()
                self._ring = Ring(
                    cursor,
                    most_batches=self._options.ring_batches,
                    most_bytes=self._options.ring_bytes,
                )
            elif is_stale and not is_listened:
                self._ring.restart(await self._here())
            return self._ring

    def hint(self) -> None:
        """Something has just changed: look soon."""
        self._hinted.set()

    async def run(self, tell: Callable[[], None]) -> None:
        """Look again and again, and `tell` after each look that found something. Raises nothing."""
        while True:
            self._hinted.clear()
            began = self._clock.monotonic()
            try:
                if await self._look():
                    tell()
            except Exception as error:  # noqa: BLE001 -- whatever it was, streams stay open, and the next look is due
                self._journal.record(MachineFault(PART, error))
            await first_of(self._clock.sleep(self._options.poll), self._hinted.wait())
            await self._clock.sleep(began + self._soonest - self._clock.monotonic())

    async def _here(self) -> FeedCursor:
        cursor = await self._feed.here()
        self._looked_at = self._clock.monotonic()
        return cursor

    async def _look(self) -> bool:
        """One look. Whether the ring has more than before."""
        ring = await self.ring(is_listened=True)
        answer = await self._feed.since(ring.cursor, limit=self._options.page)
        match answer:
            case Changes(items=(), removed=(), rest=None):
                found = False
            case Changes():
                pieces = await self._encoded(answer)
                ring.append(pieces, answer.cursor)
                found = True
            case CursorLost(why=why, cursor=cursor):
                ring.append((self._frames.frame(Reset(why, cursor)),), cursor)
                found = True
            case NoCursor():
                # The store does not know what it said itself: another store stands there now.
                cursor = await self._feed.here()
                ring.append((self._frames.frame(Reset(Lost.INVALID, cursor)),), cursor)
                found = True
            case _:
                assert_never(answer)
        self._looked_at = self._clock.monotonic()
        return found

    async def _encoded(self, changes: Changes) -> tuple[bytes, ...]:
        """All of a look, however many parts it has; or a reset, where that would be too much to keep."""
        pieces: list[bytes] = []
        told = size_bytes = 0
        while True:
            told += len(changes.items) + len(changes.removed)
            if told <= self._options.most_changes:
                some = self._frames.changes(changes)
                pieces += some
                size_bytes += sum(map(len, some))
            if told > self._options.most_changes or size_bytes > self._options.ring_bytes:
                return (self._frames.frame(Reset(Overflow.TOO_MANY, changes.cursor)),)
            if changes.rest is None:
                self._stats.changes += told
                return tuple(pieces)
            changes = await self._feed.rest(changes.rest, limit=self._options.page)
