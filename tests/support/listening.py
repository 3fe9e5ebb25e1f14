"""A hub on a manual clock, and those who listen to it."""

import asyncio
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from adapters.memory.database import MemoryDatabase
from adapters.memory.users import MemoryUsers
from adapters.web.stream_frames import Greeting, SseFrames
from adapters.web.views.work_items import Limits
from application.live.hub import Hub, TooManyStreams
from application.live.options import LiveOptions
from application.live.parts import LiveParts
from application.live.subscriber import Subscriber
from domain.feed import FeedCursor, NoCursor
from domain.ids import UserId
from tests.support.builders import ids
from tests.support.clock import ManualClock, settled
from tests.support.events import Event, events_of
from tests.support.feeds import ScriptedFeed
from tests.support.journal import RecordingJournal

POLL: Final = timedelta(seconds=2)
HOUR: Final = timedelta(hours=1)

GREETING: Final = Greeting(
    poll=POLL,
    keep_alive=timedelta(seconds=15),
    heartbeat=timedelta(seconds=2),
    lease=timedelta(seconds=60),
    retention=timedelta(days=30),
    version="1.2.3",
)


class Studio:
    """A hub with everything around it."""

    def __init__(self, options: LiveOptions | None = None) -> None:
        """Nobody listens yet."""
        self.clock = ManualClock()
        self.feed = ScriptedFeed()
        self.journal = RecordingJournal()
        self.database = MemoryDatabase(self.clock)
        self.users = MemoryUsers(self.database)
        self.hub = Hub(
            LiveParts(
                feed=self.feed,
                users=self.users,
                frames=SseFrames(GREETING, Limits(stall_limit=3), self.clock.now),
                clock=self.clock,
                journal=self.journal,
            ),
            options or LiveOptions(poll=POLL),
        )

    async def an_admin(self) -> UserId:
        """Somebody who may listen."""
        user = UserId(ids.next())
        name = f"user-{user}"
        await self.users.add(user, name=name, email=f"{name}@example.org", password_hash="-", is_admin=True)
        return user

    def demote(self, user: UserId) -> None:
        """Let somebody be no admin any more."""
        self.database.users[user] = replace(self.database.users[user], is_admin=False)

    async def a_listener(
        self,
        *,
        user: UserId | None = None,
        after: str | None = None,
        lasts: timedelta = HOUR,
        reads: bool = True,
    ) -> "Listener":
        """Somebody who listens from now on; asserts that there was room."""
        user = user or await self.an_admin()
        subscriber = self.hub.enter(user, self.clock.now() + lasts)
        assert not isinstance(subscriber, TooManyStreams)
        listener = Listener(self.hub, subscriber)
        if reads:
            await listener.begin(after)
        return listener

    async def run_for(self, duration: timedelta) -> None:
        """Let time pass for everybody."""
        await self.clock.run_for(duration)


class Listener:
    """A client that reads whatever it is sent at once."""

    def __init__(self, hub: Hub, subscriber: Subscriber) -> None:
        """Read nothing yet."""
        self.subscriber = subscriber
        self._hub = hub
        self.pieces: list[bytes] = []
        self.is_over = False
        self._reading: asyncio.Task[None] | None = None

    async def begin(self, after: str | None = None) -> None:
        """Join and read on; asserts that the cursor is one."""
        ring = await self._hub.ring()
        joined = await self.subscriber.join(ring, None if after is None else FeedCursor(after))
        assert not isinstance(joined, NoCursor)
        self._reading = asyncio.ensure_future(self._read(ring))
        await settled()

    async def _read(self, ring: Any) -> None:  # noqa: ANN401 -- a ring
        async with aclosing(self.subscriber.pieces(ring)) as pieces:
            async for piece in pieces:
                self.pieces.append(piece)
        self.is_over = True
        self._hub.leave(self.subscriber, why="over")

    @property
    def events(self) -> list[Event]:
        """All that it was told."""
        return events_of(self.pieces)

    def names(self) -> list[str]:
        """Of which events that was."""
        return [event.name for event in self.events]

    def told(self) -> list[str]:
        """The ids of all items that it was told of, in order."""
        return [event.data["id"] for event in self.events if event.name == "item"]

    def last_id(self) -> str:
        """What it would come back with."""
        return self.events[-1].id

    def hang_up(self) -> None:
        """Leave without a word."""
        assert self._reading is not None
        self._reading.cancel()
        self._hub.leave(self.subscriber, why="gone")
