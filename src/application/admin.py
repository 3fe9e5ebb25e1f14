"""What an admin sees of the queue: lists, one item with its history, and who works on it."""

import re
from dataclasses import dataclass
from typing import Final, overload
from uuid import UUID

from application.ports.ledger import WorkLedger
from application.ports.lookup import WorkLookup
from application.ports.presence import Presences
from domain.attempt import EndedAttempt
from domain.ids import WorkItemId
from domain.outcomes import UnknownItem
from domain.page import Filter, Page, PageCursor, PlaceLost
from domain.presence import SeenWorker
from domain.work_item import WorkItem

HEX_DIGITS: Final = 32
PREFIX: Final = re.compile(rf"[0-9a-f]{{1,{HEX_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class ItemHistory:
    """One item as it stands, and how its runs ended, first to last."""

    item: WorkItem
    attempts: tuple[EndedAttempt, ...]


@dataclass(frozen=True, slots=True)
class AmbiguousId:
    """Several items begin like this; here are two of them."""

    some: tuple[WorkItemId, ...]


class Admin:
    """Reads, and never writes."""

    def __init__(self, ledger: WorkLedger, lookup: WorkLookup, presences: Presences) -> None:
        """Take what it needs."""
        self._ledger = ledger
        self._lookup = lookup
        self._presences = presences

    @overload
    async def items(self, which: Filter, *, limit: int) -> Page: ...

    @overload
    async def items(self, which: Filter, *, limit: int, after: PageCursor | None) -> Page | PlaceLost: ...

    async def items(self, which: Filter, *, limit: int, after: PageCursor | None = None) -> Page | PlaceLost:
        """Some items, newest change first; a first page has no place that could be lost."""
        return await self._ledger.page(which, limit=limit, after=after)

    async def item(self, item: WorkItemId) -> ItemHistory | UnknownItem:
        """One item with its history, which is at least as new as the item."""
        found = await self._ledger.get(item)
        if isinstance(found, UnknownItem):
            return found
        return ItemHistory(found, await self._ledger.attempts(item))

    async def identified(self, text: str) -> WorkItemId | UnknownItem | AmbiguousId:
        """The one item whose id begins with what somebody typed, dashes and capitals aside."""
        digits = text.replace("-", "").lower()
        if PREFIX.fullmatch(digits) is None:
            return UnknownItem()
        first, last = UUID(digits.ljust(HEX_DIGITS, "0")), UUID(digits.ljust(HEX_DIGITS, "f"))
        match await self._lookup.between(first, last, limit=2):
            case ():
                return UnknownItem()
            case (only,):
                return only
            case some:
                return AmbiguousId(some)

    async def workers(self) -> tuple[SeenWorker, ...]:
        """Every worker heard of, most recently seen first."""
        return await self._presences.workers()
