"""What every store promises about the leaving of finished items."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

import pytest

from domain.ids import WorkItemId
from domain.outcomes import Created, NotDue, UnknownItem
from domain.work_item import WorkItem
from tests.support.builders import a_new_item, a_success, claimed, enqueued
from tests.support.house import House
from tests.support.moves import Arranged
from tests.support.reading import everything

A_MONTH: Final = timedelta(days=30)
A_DAY: Final = timedelta(days=1)

UNFINISHED: Final[list[Callable[[Arranged], Awaitable[WorkItem]]]] = [
    Arranged.queued,
    Arranged.retrying,
    Arranged.released,
    Arranged.stalled,
    Arranged.running,
    Arranged.asked_to_stop,
]
FINISHED: Final[list[Callable[[Arranged], Awaitable[WorkItem]]]] = [
    Arranged.succeeded,
    Arranged.failed,
    Arranged.stopped,
    Arranged.cancelled,
]


class PurgeContract:
    """Only what finished long ago leaves, and never the last one of a dedup key."""

    @pytest.mark.parametrize("ends", FINISHED, ids=lambda arrange: arrange.__name__)
    async def test_what_finished_long_ago_leaves_with_its_history(
        self, house: House, ends: Callable[[Arranged], Awaitable[WorkItem]]
    ) -> None:
        item = await ends(Arranged(house))
        await house.age(A_MONTH + A_DAY)

        gone = await house.store.purge(older_than=A_MONTH, limit=10)

        assert gone == 1
        assert await house.store.get(item.id) == UnknownItem()
        assert await house.store.attempts(item.id) == ()

    async def test_what_finished_lately_stays(self, house: House) -> None:
        item = await Arranged(house).succeeded()
        await house.age(A_MONTH - A_DAY)

        assert await house.store.purge(older_than=A_MONTH, limit=10) == 0
        assert set(await everything(house.store)) == {item.id}

    @pytest.mark.parametrize("stands", UNFINISHED, ids=lambda arrange: arrange.__name__)
    async def test_what_has_not_finished_stays_however_old_it_is(
        self, house: House, stands: Callable[[Arranged], Awaitable[WorkItem]]
    ) -> None:
        item = await stands(Arranged(house))
        await house.age(A_MONTH * 12)

        assert await house.store.purge(older_than=A_MONTH, limit=10) == 0
        assert set(await everything(house.store)) == {item.id}

    async def test_a_long_run_counts_from_its_end(self, house: House) -> None:
        running = await Arranged(house).running()
        await house.age(A_MONTH * 2)
        await house.store.finish(running.id, a_success(running.attempt))

        assert await house.store.purge(older_than=A_MONTH, limit=10) == 0

    async def test_the_last_one_of_a_key_stays(self, house: House) -> None:
        first = await finished(house, "one")
        other = await finished(house, "two")
        last = await finished(house, "one")
        await house.age(A_MONTH + A_DAY)

        gone = await house.store.purge(older_than=A_MONTH, limit=10)

        assert gone == 1
        assert await house.store.get(first) == UnknownItem()
        assert set(await everything(house.store)) == {other, last}

    async def test_so_due_work_stays_done(self, house: House) -> None:
        await finished(house, "key")
        await house.age(A_MONTH + A_DAY)
        await house.store.purge(older_than=A_MONTH, limit=10)
        new = a_new_item(dedup_key="key")

        assert await house.store.insert_if_due(new, interval=A_MONTH * 2) == NotDue()
        assert await house.store.insert_if_due(new, interval=A_MONTH) == Created(new.id)

    async def test_the_last_finished_one_stays_while_another_waits_or_runs(self, house: House) -> None:
        last = await finished(house, "key")
        running = await Arranged(house, dedup_key="key").running()
        waiting = await Arranged(house, dedup_key="key").queued()
        await house.age(A_MONTH + A_DAY)

        assert await house.store.purge(older_than=A_MONTH, limit=10) == 0
        assert set(await everything(house.store)) == {last, running.id, waiting.id}

    async def test_an_old_one_leaves_once_a_newer_has_finished_lately(self, house: House) -> None:
        old = await finished(house, "key")
        await house.age(A_MONTH + A_DAY)
        new = await finished(house, "key")

        assert await house.store.purge(older_than=A_MONTH, limit=10) == 1
        assert await house.store.get(old) == UnknownItem()
        assert set(await everything(house.store)) == {new}

    async def test_each_batch_takes_the_oldest_until_nothing_is_left(self, house: House) -> None:
        items = [await finished(house) for _ in range(5)]
        await house.age(A_MONTH + A_DAY)

        first = await house.store.purge(older_than=A_MONTH, limit=2)
        left = set(await everything(house.store))
        rest = [await house.store.purge(older_than=A_MONTH, limit=2) for _ in range(3)]

        assert (first, rest) == (2, [2, 1, 0])
        assert left == set(items[2:])
        assert await everything(house.store) == {}

    async def test_items_that_must_stay_hide_none_that_may_leave(self, house: House) -> None:
        kept = {await finished(house, f"key-{number}") for number in range(6)}
        await finished(house)
        await house.age(A_MONTH + A_DAY)

        assert await house.store.purge(older_than=A_MONTH, limit=2) == 1
        assert await house.store.purge(older_than=A_MONTH, limit=2) == 0
        assert set(await everything(house.store)) == kept


async def finished(house: House, key: str | None = None) -> WorkItemId:
    """An item that has just succeeded."""
    item = await enqueued(house.store, a_new_item(dedup_key=key))
    running = await claimed(house.store)
    await house.store.finish(item, a_success(running.attempt))
    return item
