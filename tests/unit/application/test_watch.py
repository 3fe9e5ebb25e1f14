"""Following work: each change is told, nothing twice."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from adapters.memory.database import MemoryDatabase
from adapters.memory.work_store import MemoryWorkStore
from application.watch import Watch
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
        clock = RunningClock()
        self.store = MemoryWorkStore(MemoryDatabase(clock))
        self.watch = Watch(self.store, clock)


def told(items: tuple[WorkItem, ...]) -> list[tuple[WorkItemId, Status]]:
    """Which items, and how they stand."""
    return [(item.id, item.status) for item in items]


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
    assert told(await anext(changes)) == [(waiting, Status.RUNNING), (new, Status.QUEUED)]
    assert told(await anext(changes)) == []
