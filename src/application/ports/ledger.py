"""Reading the queue. Nothing here writes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.attempt import EndedAttempt
from domain.due import KeyHistory
from domain.ids import DedupKey, WorkItemId
from domain.outcomes import UnknownItem
from domain.page import Counts, Filter, Page, PageCursor, PlaceLost
from domain.work_item import WorkItem


@dataclass(frozen=True, slots=True)
class Histories:
    """What the store knows of some dedup keys at one instant of its clock; absent keys were never seen."""

    by_key: Mapping[DedupKey, KeyHistory]
    as_of: datetime


class WorkLedger(Protocol):
    """What there is, and how it came about."""

    async def get(self, item: WorkItemId) -> WorkItem | UnknownItem:
        """One item as it stands."""
        ...

    async def page(self, which: Filter, *, limit: int, after: PageCursor | None = None) -> Page | PlaceLost:
        """Some items, newest change first. Unknown kinds are listed as they stand (S-11).

        One statement: the page, and the cursor of the change feed that goes with it, are of one instant (S-28).
        Never `PlaceLost` for the first page.
        """
        ...

    async def counts(self) -> Counts:
        """How many items there are of each kind and status."""
        ...

    async def attempts(self, item: WorkItemId) -> tuple[EndedAttempt, ...]:
        """The ended attempts of an item, first to last; empty for an unknown item."""
        ...

    async def histories(self, keys: frozenset[DedupKey]) -> Histories:
        """What due-ness needs to know of these keys, in one read."""
        ...
