"""Catching up: what a client missed that the ring does not hold any more, by queries of its own."""

import asyncio
from collections.abc import AsyncIterator
from typing import assert_never

from application.live.options import LiveOptions
from application.live.parts import LiveParts
from application.ports.stream_frames import Overflow, Reset
from domain.feed import Changes, CursorLost, FeedAnswer, FeedCursor, Rest


class CatchUps:
    """Reads for single clients, few at a time, so that many who come back at once do not crowd the store."""

    def __init__(self, parts: LiveParts, options: LiveOptions) -> None:
        """Take what it needs."""
        self._feed = parts.feed
        self._frames = parts.frames
        self._options = options
        self._turns = asyncio.Semaphore(options.catch_ups)

    async def first(self, cursor: FeedCursor) -> FeedAnswer:
        """What changed since: the first part of it. Raises `StoreUnavailable`."""
        async with self._turns:
            return await self._feed.since(cursor, limit=self._options.page)

    async def pieces(self, found: Changes | CursorLost) -> AsyncIterator[bytes]:
        """All of it as frames; a reset where it is lost, or too much. Raises `StoreUnavailable`."""
        match found:
            case CursorLost(why=why, cursor=cursor):
                yield self._frames.frame(Reset(why, cursor))
            case Changes():
                async for piece in self._parts(found):
                    yield piece
            case _:
                assert_never(found)

    async def _parts(self, found: Changes) -> AsyncIterator[bytes]:
        told = 0
        part: Changes | None = found
        while part is not None:
            told += len(part.items) + len(part.removed)
            if told > self._options.most_changes:
                yield self._frames.frame(Reset(Overflow.TOO_MANY, part.cursor))
                return
            for piece in self._frames.changes(part):
                yield piece
            part = None if part.rest is None else await self._next(part.rest)

    async def _next(self, rest: Rest) -> Changes:
        async with self._turns:
            return await self._feed.rest(rest, limit=self._options.page)
