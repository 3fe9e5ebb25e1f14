"""Looking at what a store keeps."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from application.ports.ledger import WorkLedger
from domain.attempt import EndedAttempt
from domain.ids import WorkItemId
from domain.page import EVERYTHING, Filter, Page, PageCursor
from domain.work_item import Cancelled, Failed, Queued, Running, Succeeded, WorkItem

S = TypeVar("S", Queued, Running, Succeeded, Failed, Cancelled)


async def stored(ledger: WorkLedger, item: WorkItemId) -> WorkItem:
    """The item as it stands; asserts that there is one."""
    found = await ledger.get(item)
    assert isinstance(found, WorkItem)
    return found


async def page_of(
    ledger: WorkLedger, which: Filter = EVERYTHING, *, limit: int, after: PageCursor | None = None
) -> Page:
    """The page; asserts that its place is still known."""
    page = await ledger.page(which, limit=limit, after=after)
    assert isinstance(page, Page)
    return page


async def everything(ledger: WorkLedger) -> dict[WorkItemId, WorkItem]:
    """The whole table."""
    page = await page_of(ledger, limit=10_000)
    assert page.next is None
    return {item.id: item for item in page.items}


async def table_and_histories(
    ledger: WorkLedger, items: Iterable[WorkItemId]
) -> tuple[dict[WorkItemId, WorkItem], dict[WorkItemId, tuple[EndedAttempt, ...]], datetime]:
    """The whole table, the ended attempts of these items, and the time by the store's clock."""
    page = await page_of(ledger, limit=10_000)
    attempts = {item: await ledger.attempts(item) for item in items}
    return {item.id: item for item in page.items}, attempts, page.as_of


async def now_in(ledger: WorkLedger) -> datetime:
    """The time by the store's clock."""
    return (await ledger.counts()).as_of


def state_of(item: WorkItem, state: type[S]) -> S:
    """The item's state; asserts which it is."""
    assert isinstance(item.state, state)
    return item.state


def nearly(actual: timedelta, expected: timedelta) -> bool:
    """Whether two durations differ by no more than a slow machine needs for one step."""
    return abs(actual - expected) < timedelta(seconds=5)
