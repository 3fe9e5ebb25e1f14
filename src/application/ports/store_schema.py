"""Whether the store has the tables that this version works with, in the words of everybody who asks."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SchemaFits:
    """It is just as this version wants it."""

    revision: str


@dataclass(frozen=True, slots=True)
class SchemaBehind:
    """It has to be migrated first; without a revision it has no tables yet."""

    revision: str | None
    newest: str


@dataclass(frozen=True, slots=True)
class SchemaAhead:
    """A newer version has migrated it; `newest` is what this one knows."""

    revision: str
    newest: str


SchemaCondition = SchemaFits | SchemaBehind | SchemaAhead


class StoreSchema(Protocol):
    """Looks at the schema and changes nothing."""

    async def condition(self) -> SchemaCondition:
        """How the store stands to this version, asked now. Raises `StoreUnavailable`."""
        ...
