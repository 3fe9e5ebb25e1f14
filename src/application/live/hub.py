"""Who listens, and the loops that run while somebody does."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from application.live.catch_up import CatchUps
from application.live.options import LiveOptions
from application.live.parts import LiveParts
from application.live.poller import PART, Poller
from application.live.ring import Ring
from application.live.roles import Roles
from application.live.stats import StreamStats
from application.live.subscriber import Lifetime, Room, Subscriber
from application.ports.journal import MachineFault
from application.ports.stream_frames import Farewell
from domain.ids import UserId

PULSE: Final = timedelta(seconds=1)
"""How exactly keep-alives and the ends of tokens are kept."""


@dataclass(frozen=True, slots=True)
class TooManyStreams:
    """The process, or this user, has as many as are allowed."""


class Hub:
    """Lets subscribers in and out. One for each process; nothing runs while nobody listens."""

    def __init__(self, parts: LiveParts, options: LiveOptions) -> None:
        """Take what it needs."""
        self.options = options
        self.stats = StreamStats()
        self._clock = parts.clock
        self._journal = parts.journal
        self._roles = Roles(parts.users, parts.clock)
        self._poller = Poller(parts, options, self.stats)
        self._room = Room(
            frames=parts.frames,
            catch_ups=CatchUps(parts, options),
            roles=self._roles,
            clock=parts.clock,
            options=options,
        )
        # In the order they came: a set would tell them in another order at each run.
        self._subscribers: dict[Subscriber, None] = {}
        self._loops: tuple[asyncio.Task[None], ...] = ()
        self._is_leaving = False

    def enter(self, user: UserId, expires_at: datetime) -> Subscriber | TooManyStreams:
        """Let somebody in whose token is good until then. `leave` must follow, whatever happens."""
        of_user = sum(subscriber.user == user for subscriber in self._subscribers)
        if (
            len(self._subscribers) >= self.options.most_streams
            or of_user >= self.options.most_streams_of_user
        ):
            self.stats.refused += 1
            return TooManyStreams()
        subscriber = Subscriber(user, self._lifetime(expires_at), self._room)
        if self._is_leaving:
            subscriber.end(Farewell.SHUTDOWN)
        self._subscribers[subscriber] = None
        self.stats.opened += 1
        self.stats.active = len(self._subscribers)
        return subscriber

    async def ring(self) -> Ring:
        """The ring, filled from now on. Raises `StoreUnavailable`."""
        ring = await self._poller.ring(is_listened=bool(self._loops))
        if not self._loops and self._subscribers:
            self._loops = tuple(
                map(self._started, (self._poller.run(self._tell), self._pulse(), self._watch_roles()))
            )
        return ring

    def leave(self, subscriber: Subscriber, *, why: str) -> None:
        """Forget a subscriber; the last one stops the loops."""
        self._subscribers.pop(subscriber, None)
        self.stats.active = len(self._subscribers)
        self.stats.ends[why] += 1
        if not self._subscribers:
            for loop in self._loops:
                loop.cancel()
            self._loops = ()

    def hint(self) -> None:
        """Something has just changed by this process's doing: look soon instead of at the next turn."""
        self._poller.hint()

    def close(self) -> None:
        """The process leaves: everybody is told, and so is whoever still comes."""
        self._is_leaving = True
        for subscriber in self._subscribers:
            subscriber.end(Farewell.SHUTDOWN)

    def _lifetime(self, expires_at: datetime) -> Lifetime:
        token = expires_at - self._clock.now()
        why = Farewell.TOKEN_EXPIRED if token <= self.options.longest else Farewell.MAX_AGE
        return Lifetime(self._clock.monotonic() + min(token, self.options.longest), why)

    def _started(self, loop: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return asyncio.get_running_loop().create_task(loop)

    def _tell(self) -> None:
        for subscriber in self._subscribers:
            subscriber.poke()

    async def _pulse(self) -> None:
        while True:
            await self._clock.sleep(min(PULSE, self.options.keep_alive))
            now = self._clock.monotonic()
            for subscriber in self._subscribers:
                subscriber.poke_if_due(now)

    async def _watch_roles(self) -> None:
        while True:
            await self._clock.sleep(self.options.role_check)
            for user in {subscriber.user for subscriber in self._subscribers}:
                await self._check(user)

    async def _check(self, user: UserId) -> None:
        try:
            if await self._roles.allows(user):
                return
        except Exception as error:  # noqa: BLE001 -- nothing is known of the role: the next look will tell
            self._journal.record(MachineFault(PART, error))
            return
        for subscriber in self._subscribers:
            if subscriber.user == user:
                subscriber.end(Farewell.FORBIDDEN)
