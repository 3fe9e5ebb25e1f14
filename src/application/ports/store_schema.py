"""Whether the store has the tables that this version works with."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SchemaFits:
    """The store answers and is just as this version wants it."""


@dataclass(frozen=True, slots=True)
class SchemaBehind:
    """The store answers, but has to be migrated first."""


@dataclass(frozen=True, slots=True)
class SchemaAhead:
    """The store answers, but a newer version has migrated it."""


SchemaCondition = SchemaFits | SchemaBehind | SchemaAhead


class StoreSchema(Protocol):
    """Looks at the schema and changes nothing."""

    async def condition(self) -> SchemaCondition:
        """How the store stands to this version, asked now. Raises `StoreUnavailable`."""
        ...
