"""Following work: each change is told, nothing twice."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from adapters.memory.change_feed import MemoryChangeFeed
from adapters.memory.database import MemoryDatabase
from adapters.memory.work_store import MemoryWorkStore
from application.watch import LARGEST_LOOK, Look, Watch
from domain.ids import WorkItemId
from domain.progress import Progress
from domain.work_item import Running, Status, WorkItem
from tests.support.builders import a_heartbeat, a_success, claimed, enqueued
from tests.support.clock import ManualClock

SECOND = timedelta(seconds=1)


class RunningClock(ManualClock):
    """Sleeping takes no time for whoever waits, but all of it by this clock."""

    async def sleep(self, duration: timedelta) -> None:
        """Pass the time at once."""
        self.advance(duration)


class Bench:
    """A store and somebody who watches it."""

    def __init__(self) -> None:
        """Start with an empty queue."""
        self.clock = clock = RunningClock()
        self.database = MemoryDatabase(clock)
        self.store = MemoryWorkStore(self.database)
        self.watch = Watch(self.store, MemoryChangeFeed(self.database), clock)


def told(look: Look) -> list[tuple[WorkItemId, Status]]:
    """Which items, and how they stand."""
    return [(item.id, item.status) for item in look.items]


async def test_an_item_is_told_as_it_stands_and_after_each_change_until_it_is_gone() -> None:
    bench = Bench()
    id_ = await enqueued(bench.store)
    following: AsyncIterator[WorkItem] = bench.watch.item(id_, every=SECOND)

    assert (await anext(following)).status is Status.QUEUED
    run = await claimed(bench.store)
    assert (await anext(following)).status is Status.RUNNING
    await bench.store.heartbeat(id_, a_heartbeat(run.attempt, progress=Progress(1, 2, "")))
    beaten = (await anext(following)).state
    assert isinstance(beaten, Running)
    assert beaten.progress == Progress(1, 2, "")
    await bench.store.finish(id_, a_success(run.attempt))
    assert (await anext(following)).status is Status.SUCCEEDED

    await bench.store.purge(older_than=timedelta(0), limit=10)
    with pytest.raises(StopAsyncIteration):
        await anext(following)


async def test_a_queue_is_told_as_it_stands_and_then_by_what_has_changed() -> None:
    bench = Bench()
    old = await enqueued(bench.store)
    run = await claimed(bench.store)
    await bench.store.finish(old, a_success(run.attempt))
    waiting = await enqueued(bench.store)
    changes = bench.watch.changes(every=SECOND)

    assert told(await anext(changes)) == [(waiting, Status.QUEUED)]
    assert told(await anext(changes)) == []
    new = await enqueued(bench.store)
    await claimed(bench.store)
    assert told(await anext(changes)) == [(new, Status.QUEUED), (waiting, Status.RUNNING)]
    assert told(await anext(changes)) == []


async def test_more_changes_than_one_look_holds_are_all_told() -> None:
    bench = Bench()
    changes = bench.watch.changes(every=SECOND)
    assert told(await anext(changes)) == []
    new = [await enqueued(bench.store) for _ in range(2 * LARGEST_LOOK + 1)]

    looks = [await anext(changes) for _ in range(3)]

    assert [item.id for look in looks for item in look.items] == new


async def test_more_than_one_page_that_waits_is_told_at_the_start() -> None:
    bench = Bench()
    waiting = [await enqueued(bench.store) for _ in range(LARGEST_LOOK + 1)]

    assert [item.id for item in (await anext(bench.watch.changes(every=SECOND))).items] == waiting


async def test_what_goes_is_told() -> None:
    bench = Bench()
    gone = await enqueued(bench.store)
    changes = bench.watch.changes(every=SECOND)
    await anext(changes)
    await bench.store.cancel(gone)
    bench.clock.advance(SECOND)
    await bench.store.purge(older_than=timedelta(0), limit=10)

    assert await anext(changes) == Look((), (gone,))


async def test_who_lost_the_thread_is_told_how_everything_stands_now() -> None:
    bench = Bench()
    ends, goes, stays = [await enqueued(bench.store) for _ in range(3)]
    changes = bench.watch.changes(every=SECOND)
    await anext(changes)
    await bench.store.cancel(goes)
    bench.clock.advance(SECOND)
    await bench.store.purge(older_than=timedelta(0), limit=10)
    await bench.store.cancel(ends)
    new = await enqueued(bench.store)
    bench.database.changes.number_anew()

    look = await anext(changes)

    assert (told(look), look.removed) == ([(ends, Status.CANCELLED), (new, Status.QUEUED)], (goes,))
    assert told(await anext(changes)) == []
    await claimed(bench.store)
    assert told(await anext(changes)) == [(stays, Status.RUNNING)]
