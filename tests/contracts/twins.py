"""What every store promises when an item would go back to the queue where one with its key waits (S-3)."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest

from domain.attempt import AttemptEnd
from domain.failure import Failure
from domain.ids import DedupKey, WorkItemId
from domain.outcomes import Recorded
from domain.work_item import Cancelled, Failed, LastRun, Queued, Running, Status, WorkItem
from tests.support.builders import (
    ADA,
    BOB,
    LEASE,
    a_claim,
    a_new_item,
    a_release,
    a_retry,
    claimed,
    enqueued,
)
from tests.support.house import House
from tests.support.moves import Arranged, asked_to_stop, sighted, stalled
from tests.support.reading import state_of, stored


async def by_stall(house: House, item: WorkItem) -> None:
    await house.store.recover(await sighted(house, item.id), stall_limit=3)


async def by_release(house: House, item: WorkItem) -> None:
    assert await house.store.finish(item.id, a_release(item.attempt)) == Recorded()


async def by_retry(house: House, item: WorkItem) -> None:
    assert await house.store.finish(item.id, a_retry(item.attempt)) == Recorded()


WAYS_BACK: Final = [by_stall, by_release, by_retry]
GoBack = Callable[[House, WorkItem], Awaitable[None]]

way_back = pytest.mark.parametrize("go_back", WAYS_BACK, ids=lambda way: way.__name__)


class TwinContract:
    """The returning one makes way; the waiting one takes over its place and its stalls."""

    @way_back
    async def test_the_returning_one_is_superseded(self, house: House, go_back: GoBack) -> None:
        item = await running_past_its_lease(house)
        twin = await enqueued(house.store, a_new_item(dedup_key="key"))

        await go_back(house, item)

        after = await stored(house.store, item.id)
        running = state_of(item, Running)
        assert after.state == Cancelled(
            finished_at=after.updated_at,
            run=LastRun(ADA, running.started_at, running.progress),
            cancel_requested_at=None,
            left=Failure("superseded", f"Another item with the same dedup key waits already: {twin}."),
        )
        assert after.revision == item.revision + 1

    @way_back
    async def test_the_waiting_one_takes_over_its_place(self, house: House, go_back: GoBack) -> None:
        item = await running_past_its_lease(house)
        between = await enqueued(house.store)
        twin = await stored(house.store, await enqueued(house.store, a_new_item(dedup_key="key")))

        await go_back(house, item)

        after = await stored(house.store, twin.id)
        assert after == replace(
            twin,
            requested_at=item.requested_at,
            stalls=after.stalls,
            revision=2,
            updated_at=after.updated_at,
        )
        assert [claim.id for claim in await house.store.claim(a_claim(limit=2))] == [twin.id, between]

    @pytest.mark.parametrize(
        ("go_back", "stalls"),
        [(by_stall, 2), (by_release, 1), (by_retry, 1)],
        ids=["stall", "release", "retry"],
    )
    async def test_the_waiting_one_takes_over_its_stalls(
        self, house: House, go_back: GoBack, stalls: int
    ) -> None:
        await stalled(house, await Arranged(house, dedup_key="key").running())
        item = await claimed(house.store)
        twin = await enqueued(house.store, a_new_item(dedup_key="key"))
        await house.age(LEASE)

        await go_back(house, item)

        assert (await stored(house.store, twin)).stalls == stalls
        assert (await stored(house.store, item.id)).stalls == stalls

    @pytest.mark.parametrize(
        ("go_back", "how"),
        [
            (by_stall, AttemptEnd.STALLED),
            (by_release, AttemptEnd.SUPERSEDED),
            (by_retry, AttemptEnd.SUPERSEDED),
        ],
        ids=["stall", "release", "retry"],
    )
    async def test_the_history_says_how_the_run_ended(
        self, house: House, go_back: GoBack, how: AttemptEnd
    ) -> None:
        item = await running_past_its_lease(house)
        await enqueued(house.store, a_new_item(dedup_key="key"))

        await go_back(house, item)

        assert [past.how for past in await house.store.attempts(item.id)] == [how]

    @way_back
    async def test_a_twin_that_started_meanwhile_waits_no_longer(self, house: House, go_back: GoBack) -> None:
        item = await running_past_its_lease(house)
        twin = await enqueued(house.store, a_new_item(dedup_key="key"))
        running_twin = await claimed(house.store, by=BOB)
        assert running_twin.id == twin

        await go_back(house, item)

        assert (await stored(house.store, item.id)).status is Status.QUEUED
        assert await stored(house.store, twin) == running_twin

    @way_back
    async def test_a_twin_that_ended_meanwhile_waits_no_longer(self, house: House, go_back: GoBack) -> None:
        item = await running_past_its_lease(house)
        twin = await enqueued(house.store, a_new_item(dedup_key="key"))
        await house.store.cancel(twin)

        await go_back(house, item)

        assert (await stored(house.store, item.id)).status is Status.QUEUED

    @way_back
    async def test_another_key_is_no_twin_and_neither_is_none(self, house: House, go_back: GoBack) -> None:
        keyed = await running_past_its_lease(house)
        bare = await Arranged(house).running()
        await house.age(LEASE)
        others = [
            await enqueued(house.store, a_new_item(dedup_key="other")),
            await enqueued(house.store),
        ]
        before = [await stored(house.store, other) for other in others]

        await go_back(house, await stored(house.store, keyed.id))
        await go_back(house, await stored(house.store, bare.id))

        assert (await stored(house.store, keyed.id)).status is Status.QUEUED
        assert (await stored(house.store, bare.id)).status is Status.QUEUED
        assert [await stored(house.store, other) for other in others] == before

    @way_back
    async def test_a_cancel_request_comes_before_the_twin(self, house: House, go_back: GoBack) -> None:
        item = await asked_to_stop(house, await running_past_its_lease(house))
        twin = await stored(house.store, await enqueued(house.store, a_new_item(dedup_key="key")))

        await go_back(house, item)

        left = state_of(await stored(house.store, item.id), Cancelled).left
        assert not isinstance(left, Failure) or left.code != "superseded"
        assert await stored(house.store, twin.id) == twin

    async def test_of_two_that_stall_the_second_makes_way(self, house: House) -> None:
        first = await Arranged(house, dedup_key="key").running()
        await enqueued(house.store, a_new_item(dedup_key="key"))
        second = await claimed(house.store, by=BOB)
        await house.age(LEASE)

        await by_stall(house, first)
        await by_stall(house, second)

        waiting = await stored(house.store, first.id)
        superseded = await stored(house.store, second.id)
        assert (waiting.status, waiting.stalls) == (Status.QUEUED, 1)
        assert (superseded.status, superseded.stalls) == (Status.CANCELLED, 1)

    async def test_a_younger_ones_place_is_not_taken_over(self, house: House) -> None:
        older = await Arranged(house, dedup_key="key").running()
        await house.age(timedelta(seconds=5))
        await enqueued(house.store, a_new_item(dedup_key="key"))
        younger = await claimed(house.store, by=BOB)
        await by_release(house, older)
        before = await stored(house.store, older.id)

        await by_release(house, younger)

        assert (await stored(house.store, older.id)).requested_at == before.requested_at

    async def test_a_twin_that_waits_for_its_retry_goes_on_waiting(self, house: House) -> None:
        item = await Arranged(house, dedup_key="key").running()
        await enqueued(house.store, a_new_item(dedup_key="key"))
        twin = await claimed(house.store, by=BOB)
        await by_retry(house, twin)
        before = await stored(house.store, twin.id)

        await by_release(house, item)

        after = await stored(house.store, twin.id)
        assert (await stored(house.store, item.id)).status is Status.CANCELLED
        assert state_of(after, Queued) == state_of(before, Queued)
        assert after.requested_at == item.requested_at

    async def test_at_the_stall_limit_an_item_fails_and_leaves_its_twin_alone(self, house: House) -> None:
        item = await running_past_its_lease(house)
        twin = await stored(house.store, await enqueued(house.store, a_new_item(dedup_key="key")))

        await house.store.recover(await sighted(house, item.id), stall_limit=1)

        assert (await stored(house.store, item.id)).status is Status.FAILED
        assert await stored(house.store, twin.id) == twin

    async def test_a_poison_item_cannot_dodge_its_limit_by_new_requests(self, house: House) -> None:
        items: list[WorkItemId] = []
        for by in (ADA, BOB, ADA):
            if not items:
                items.append(await enqueued(house.store, a_new_item(dedup_key="key")))
            running = await claimed(house.store, by=by)
            items.append(await enqueued(house.store, a_new_item(dedup_key="key")))
            await house.age(LEASE)
            await by_stall(house, await stored(house.store, running.id))

        states = [await stored(house.store, item) for item in items]

        assert [(item.status, item.stalls) for item in states] == [
            (Status.CANCELLED, 1),
            (Status.CANCELLED, 2),
            (Status.FAILED, 3),
            (Status.QUEUED, 0),
        ]
        assert state_of(states[2], Failed).failure.code == "stalled"
        assert {item.dedup_key for item in states} == {DedupKey("key")}


async def running_past_its_lease(house: House) -> WorkItem:
    """A running item with the dedup key `key`, whose lease has just run out."""
    item = await Arranged(house, dedup_key="key").running()
    await house.age(LEASE)
    return await stored(house.store, item.id)
