"""What an admin finds in the queue."""

from uuid import UUID

import pytest

from adapters.memory.database import MemoryDatabase
from adapters.memory.presences import MemoryPresences
from adapters.memory.work_lookup import MemoryWorkLookup
from adapters.memory.work_store import MemoryWorkStore
from application.admin import Admin, AmbiguousId, ItemHistory
from domain.attempt import AttemptEnd
from domain.ids import WorkItemId
from domain.outcomes import UnknownItem
from domain.page import Filter
from domain.work_item import Status
from tests.support.builders import a_new_item, a_success, claimed, enqueued
from tests.support.clock import ManualClock

FIRST = WorkItemId(UUID("0192f3c8-6d1e-7c55-9a51-0f6a2d5b7e10"))
SECOND = WorkItemId(UUID("0192f3c8-6d1e-7c56-8000-000000000000"))


class Desk:
    """An admin's view of a store of one's own."""

    def __init__(self) -> None:
        """Start with an empty queue."""
        database = MemoryDatabase(ManualClock())
        self.store = MemoryWorkStore(database)
        self.admin = Admin(self.store, MemoryWorkLookup(database), MemoryPresences(database))


async def a_desk_with_two_items() -> Desk:
    """Two items whose ids differ late."""
    desk = Desk()
    await enqueued(desk.store, a_new_item(id=FIRST))
    await enqueued(desk.store, a_new_item(id=SECOND))
    return desk


@pytest.mark.parametrize(
    "typed",
    [
        "0192f3c8-6d1e-7c55-9a51-0f6a2d5b7e10",
        "0192F3C86D1E7C559A510F6A2D5B7E10",
        "0192f3c8-6d1e-7c55",
        "0192f3c86d1e7c55",
    ],
)
async def test_an_item_is_found_by_as_much_of_its_id_as_makes_it_unique(typed: str) -> None:
    desk = await a_desk_with_two_items()

    assert await desk.admin.identified(typed) == FIRST


async def test_several_items_that_begin_alike_are_an_answer_of_their_own() -> None:
    desk = await a_desk_with_two_items()

    assert await desk.admin.identified("0192f3c8-6d1e") == AmbiguousId((FIRST, SECOND))


@pytest.mark.parametrize(
    "typed", ["", "-", "0192f3c9", "xyz", "0192f3c8-6d1e-7c55-9a51-0f6a2d5b7e100", "%", "٣"]
)
async def test_what_begins_no_id_is_unknown(typed: str) -> None:
    desk = await a_desk_with_two_items()

    assert await desk.admin.identified(typed) == UnknownItem()


async def test_an_item_is_shown_with_how_its_runs_ended() -> None:
    desk = Desk()
    id_ = await enqueued(desk.store)
    run = await claimed(desk.store)
    await desk.store.finish(id_, a_success(run.attempt))

    found = await desk.admin.item(id_)

    assert isinstance(found, ItemHistory)
    assert found.item.status is Status.SUCCEEDED
    assert [attempt.how for attempt in found.attempts] == [AttemptEnd.SUCCEEDED]


async def test_an_item_that_is_not_there_is_unknown() -> None:
    assert await Desk().admin.item(FIRST) == UnknownItem()


async def test_a_list_of_fewer_than_there_are_says_that_there_are_more() -> None:
    desk = await a_desk_with_two_items()

    page = await desk.admin.items(Filter(statuses=frozenset({Status.QUEUED})), limit=1)

    assert len(page.items) == 1
    assert page.next is not None
