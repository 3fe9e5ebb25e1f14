"""Finding items by what somebody typed of their ids."""

from typing import Protocol
from uuid import UUID

from domain.ids import WorkItemId


class WorkLookup(Protocol):
    """Looks ids up."""

    async def between(self, first: UUID, last: UUID, *, limit: int) -> tuple[WorkItemId, ...]:
        """The ids of items from `first` to `last`, both included, in order; at most `limit`."""
        ...
