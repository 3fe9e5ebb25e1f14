"""Whether those who listen may still listen."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from application.ports.clock import Clock
from application.ports.users import Users
from domain.ids import UserId

FRESH_FOR: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class _Look:
    at: timedelta
    is_admin: bool


class Roles:
    """Reads the role of a user, once a second at most, however many streams of theirs end at once."""

    def __init__(self, users: Users, clock: Clock) -> None:
        """Take what it needs."""
        self._users = users
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()
        self._looks: dict[UserId, _Look] = {}

    async def allows(self, user: UserId) -> bool:
        """Whether the account is an admin's, and may sign in. Raises `StoreUnavailable`."""
        async with self._one_at_a_time:
            now = self._clock.monotonic()
            self._looks = {user: look for user, look in self._looks.items() if now - look.at < FRESH_FOR}
            if user not in self._looks:
                account = await self._users.get(user)
                allowed = account is not None and account.may_administer
                self._looks[user] = _Look(now, allowed)
            return self._looks[user].is_admin
