"""Whoever lost its attempt changes nothing any more, whatever it says and however it lost it (R7)."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

import pytest

from application.ports.storage_configs import Removed
from application.ports.work_store import WorkStore
from domain.ids import Attempt, WorkItemId
from domain.outcomes import Fenced, FinishAnswer, HeartbeatAnswer, UnknownItem
from domain.progress import Progress
from domain.work_item import WorkItem
from tests.support.builders import (
    ADA,
    BOB,
    CRAWL,
    a_failure,
    a_heartbeat,
    a_new_item,
    a_release,
    a_retry,
    a_stop,
    a_success,
    claimed,
    enqueued,
)
from tests.support.house import House
from tests.support.moves import Arranged, asked_to_stop, stalled
from tests.support.reading import everything, stored

PROGRESS: Final = Progress(done=7, total=7, note="late")

LATE: Final[
    dict[str, Callable[[WorkStore, WorkItemId, Attempt], Awaitable[HeartbeatAnswer | FinishAnswer]]]
] = {
    "heartbeat": lambda store, item, n: store.heartbeat(item, a_heartbeat(n)),
    "heartbeat with progress": lambda store, item, n: store.heartbeat(
        item, a_heartbeat(n, progress=PROGRESS)
    ),
    "success": lambda store, item, n: store.finish(item, a_success(n, progress=PROGRESS)),
    "failure": lambda store, item, n: store.finish(item, a_failure(n, progress=PROGRESS)),
    "retry": lambda store, item, n: store.finish(item, a_retry(n)),
    "stop": lambda store, item, n: store.finish(item, a_stop(n, progress=PROGRESS)),
    "release": lambda store, item, n: store.finish(item, a_release(n)),
}


async def requeued_after_a_stall(house: House) -> WorkItem:
    return await stalled(house, await Arranged(house).running())


async def claimed_by_another(house: House) -> WorkItem:
    await requeued_after_a_stall(house)
    return await claimed(house.store, by=BOB)


async def claimed_by_its_own_next_run(house: House) -> WorkItem:
    await requeued_after_a_stall(house)
    return await claimed(house.store, by=ADA)


async def claimed_by_another_and_asked_to_stop(house: House) -> WorkItem:
    return await asked_to_stop(house, await claimed_by_another(house))


async def finished_by_another(house: House) -> WorkItem:
    again = await claimed_by_another(house)
    await house.store.finish(again.id, a_success(again.attempt))
    return await stored(house.store, again.id)


async def failed_as_stalled(house: House) -> WorkItem:
    return await stalled(house, await Arranged(house).running(), stall_limit=1)


async def cancelled_after_its_stall(house: House) -> WorkItem:
    return await stalled(house, await Arranged(house).asked_to_stop())


LOST: Final = [
    requeued_after_a_stall,
    claimed_by_another,
    claimed_by_its_own_next_run,
    claimed_by_another_and_asked_to_stop,
    finished_by_another,
    failed_as_stalled,
    cancelled_after_its_stall,
]


class FenceContract:
    """Attempt 1 of an item was lost; what it still says is answered `Fenced` and changes nothing at all."""

    @pytest.mark.parametrize("lost", LOST, ids=lambda lost: lost.__name__)
    async def test_a_lost_attempt_changes_nothing(
        self, house: House, lost: Callable[[House], Awaitable[WorkItem]]
    ) -> None:
        item = await lost(house)
        attempts = await house.store.attempts(item.id)

        answers = {verb: await late(house.store, item.id, Attempt(1)) for verb, late in LATE.items()}

        assert answers == dict.fromkeys(LATE, Fenced())
        assert await everything(house.store) == {item.id: item}
        assert await house.store.attempts(item.id) == attempts

    @pytest.mark.parametrize("attempt", [0, 2, 3])
    async def test_an_attempt_that_never_was_is_not_heard(self, house: House, attempt: int) -> None:
        item = await Arranged(house).running()

        answers = {verb: await late(house.store, item.id, Attempt(attempt)) for verb, late in LATE.items()}

        assert answers == dict.fromkeys(LATE, Fenced())
        assert await stored(house.store, item.id) == item
        assert await house.store.attempts(item.id) == ()

    async def test_an_item_that_waits_hears_nobody(self, house: House) -> None:
        item = await Arranged(house).queued()

        answers = {verb: await late(house.store, item.id, Attempt(0)) for verb, late in LATE.items()}

        assert answers == dict.fromkeys(LATE, Fenced())
        assert await stored(house.store, item.id) == item

    async def test_an_item_that_is_gone_hears_nobody(self, house: House) -> None:
        config = await house.a_config()
        item = await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=config))
        running = await claimed(house.store)

        assert await house.storage_configs.remove(config) == Removed(items=1)

        answers = {verb: await late(house.store, item, running.attempt) for verb, late in LATE.items()}
        assert answers == dict.fromkeys(LATE, Fenced())
        assert await house.store.get(item) == UnknownItem()
        assert await house.store.attempts(item) == ()

    async def test_a_fenced_attempt_leaves_the_next_one_its_lease(self, house: House) -> None:
        item = await claimed_by_another(house)
        await house.age(timedelta(seconds=59))
        await house.store.heartbeat(item.id, a_heartbeat(Attempt(1)))
        await house.age(timedelta(seconds=2))

        assert [seen.attempt for seen in await house.store.expired(limit=5)] == [2]
