"""One who listens: finds where to begin, catches up, and then follows the ring."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from application.live.catch_up import CatchUps
from application.live.options import LiveOptions
from application.live.ring import Batch, Overtaken, Position, Ring, UpToDate
from application.live.roles import Roles
from application.ports.clock import Clock
from application.ports.errors import StoreUnavailable
from application.ports.stream_frames import (
    Bye,
    Farewell,
    Hello,
    KeepAlive,
    StreamFrames,
    Synced,
)
from application.waiting import first_of
from domain.feed import Changes, CursorLost, FeedAnswer, FeedCursor, Lost, NoCursor
from domain.ids import UserId


@dataclass(frozen=True, slots=True)
class Joined:
    """The place to begin is found."""


@dataclass(frozen=True, slots=True)
class Lifetime:
    """When a stream has to end, by the monotonic clock, and why then."""

    until: timedelta
    why: Farewell


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What all subscribers of a process share."""

    frames: StreamFrames
    catch_ups: CatchUps
    roles: Roles
    clock: Clock
    options: LiveOptions


KEEP_ALIVE: Final = KeepAlive()


class Subscriber:
    """One open stream. It owns no queue, only a position in the ring."""

    def __init__(self, user: UserId, lifetime: Lifetime, room: Room) -> None:
        """Be nowhere yet. `user` is whose role decides whether it goes on."""
        self.user = user
        self._lifetime = lifetime
        self._room = room
        self._poked = asyncio.Event()
        self._is_over = False
        self._farewell: Farewell | None = None
        self._told_at = room.clock.monotonic()
        self._position = Position(0)
        self._cursor: FeedCursor | None = None
        self._missed: Changes | CursorLost | None = None
        self._resumed = False

    @property
    def ended_by(self) -> Farewell | None:
        """Why it was told to end, if it was."""
        return self._farewell

    async def join(self, ring: Ring, cursor: FeedCursor | None) -> Joined | NoCursor:
        """Find where to begin: now, or after this cursor. Raises `StoreUnavailable`."""
        self._resumed = cursor is not None
        position = ring.end if cursor is None else ring.position_of(cursor)
        self._cursor = cursor or ring.cursor
        # Read before the query below is sent: whatever the query does not see comes at this position or later.
        self._position = ring.end if position is None else position
        if position is not None:
            return Joined()
        found = await self._room.catch_ups.first(self._cursor)
        if isinstance(found, NoCursor):
            return found
        self._missed = found
        return Joined()

    def end(self, why: Farewell | None) -> None:
        """Say so and end, as soon as what is being sent is sent; None where nobody hears it. The first counts."""
        if not self._is_over:
            self._is_over = True
            self._farewell = why
        self._poked.set()

    def poke(self) -> None:
        """There may be something to tell."""
        self._poked.set()

    def poke_if_due(self, now: timedelta) -> None:
        """The same, where time alone is a reason to speak."""
        if now >= min(self._told_at + self._room.options.keep_alive, self._lifetime.until):
            self._poked.set()

    async def pieces(self, ring: Ring) -> AsyncGenerator[bytes, None]:
        """Everything to be sent, in order, until the end. Whoever sends it may stop at any piece."""
        frame = self._room.frames.frame
        yield frame(Hello(self._resumed))
        async for piece in self._caught_up(ring):
            self._told_at = self._room.clock.monotonic()
            yield piece
        async for piece in self._followed(ring):
            self._told_at = self._room.clock.monotonic()
            yield piece
        if self._farewell is not None:
            yield frame(Bye(self._farewell))

    async def _caught_up(self, ring: Ring) -> AsyncIterator[bytes]:
        while self._missed is not None and not await self._has_ended():
            found, self._missed = self._missed, None
            try:
                async for piece in self._room.catch_ups.pieces(found):
                    yield piece
                    if await self._has_ended():
                        return
                self._cursor = found.cursor
                if isinstance(ring.at(self._position), Overtaken):
                    self._missed = await self._look_again(ring)
            except StoreUnavailable:
                # A rest may be lost by now: start over from the cursor that the client has.
                async for piece in self._waited_for_the_store(ring):
                    yield piece

    async def _waited_for_the_store(self, ring: Ring) -> AsyncIterator[bytes]:
        while self._missed is None and not await self._has_ended():
            yield self._room.frames.frame(KEEP_ALIVE)
            self._poked.clear()
            await first_of(self._room.clock.sleep(self._room.options.poll), self._poked.wait())
            if await self._has_ended():
                return
            try:
                self._missed = await self._look_again(ring)
            except StoreUnavailable:
                continue

    async def _look_again(self, ring: Ring) -> Changes | CursorLost:
        self._position = ring.end
        found: FeedAnswer = await self._room.catch_ups.first(self._cursor or ring.cursor)
        if isinstance(found, NoCursor):
            return CursorLost(Lost.INVALID, ring.cursor)
        return found

    async def _followed(self, ring: Ring) -> AsyncIterator[bytes]:
        is_synced = False
        while not await self._has_ended():
            match ring.at(self._position):
                case Batch() as batch:
                    for piece in batch.pieces:
                        yield piece
                        if await self._has_ended():
                            return
                    self._position = Position(self._position + 1)
                    self._cursor = batch.end
                case Overtaken():
                    self.end(Farewell.OVERLOADED)
                case UpToDate() if not is_synced:
                    is_synced = True
                    yield self._room.frames.frame(Synced(self._cursor or ring.cursor))
                case UpToDate():
                    async for piece in self._waited():
                        yield piece

    async def _waited(self) -> AsyncIterator[bytes]:
        """Wait for a poke, and look what it is about."""
        self._poked.clear()
        if self._room.clock.monotonic() >= self._told_at + self._room.options.keep_alive:
            yield self._room.frames.frame(KEEP_ALIVE)
        else:
            await self._poked.wait()

    async def _has_ended(self) -> bool:
        """Whether this is the end. Asked between any two pieces: some clients are never up to date."""
        if not self._is_over and self._room.clock.monotonic() >= self._lifetime.until:
            await self._expire()
        return self._is_over

    async def _expire(self) -> None:
        """The time is over. Whoever lost the role meanwhile is told that: a new token would not help."""
        try:
            is_allowed = await self._room.roles.allows(self.user)
        except StoreUnavailable:
            is_allowed = True
        self.end(self._lifetime.why if is_allowed else Farewell.FORBIDDEN)
