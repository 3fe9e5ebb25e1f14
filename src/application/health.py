"""Whether an API can do its work."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from application.ports.clock import Clock
from application.ports.errors import StoreUnavailable
from application.ports.store_schema import SchemaCondition, StoreSchema
from application.recent import Recent

FRESH_FOR: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class StoreAway:
    """The store does not answer."""


Condition = SchemaCondition | StoreAway


class Health:
    """Looks at the store, once a second however many ask: nobody has to sign in to ask."""

    def __init__(self, schema: StoreSchema, clock: Clock) -> None:
        """Take what it needs."""
        self._schema = schema
        self._condition = Recent(self._asked, clock, fresh_for=FRESH_FOR)

    async def condition(self) -> Condition:
        """How the store stood within the last second."""
        return await self._condition.value()

    async def _asked(self) -> Condition:
        try:
            return await self._schema.condition()
        except StoreUnavailable:
            return StoreAway()
