"""Whether an API can do its work."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from application.ports.clock import Clock
from application.ports.errors import StoreUnavailable
from application.ports.store_schema import SchemaCondition, StoreSchema

FRESH_FOR: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class StoreAway:
    """The store does not answer."""


Condition = SchemaCondition | StoreAway


@dataclass(frozen=True, slots=True)
class _Look:
    at: timedelta
    condition: Condition


class Health:
    """Looks at the store, once a second however many ask: nobody has to sign in to ask."""

    def __init__(self, schema: StoreSchema, clock: Clock) -> None:
        """Take what it needs."""
        self._schema = schema
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()
        self._last: _Look | None = None

    async def condition(self) -> Condition:
        """How the store stood within the last second."""
        async with self._one_at_a_time:
            now = self._clock.monotonic()
            if self._last is None or now - self._last.at >= FRESH_FOR:
                self._last = _Look(now, await self._asked())
            return self._last.condition

    async def _asked(self) -> Condition:
        try:
            return await self._schema.condition()
        except StoreUnavailable:
            return StoreAway()
