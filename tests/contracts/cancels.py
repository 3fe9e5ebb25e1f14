"""What every store promises about cancels: the answer is true when it is given."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import pytest

from domain.attempt import AttemptEnd
from domain.events import RunEnd
from domain.ids import Attempt
from domain.outcomes import (
    AlreadyFinished,
    CancelledNow,
    CancelRequested,
    Coalesced,
    Created,
    Recorded,
    UnknownItem,
)
from domain.work_item import Cancelled, Running, Status, WorkItem
from tests.support.builders import (
    BOB,
    a_claim,
    a_failure,
    a_new_item,
    a_release,
    a_retry,
    a_stop,
    a_success,
    an_id,
    claimed,
)
from tests.support.house import House
from tests.support.moves import Arranged, stalled
from tests.support.reading import state_of, stored

WAITING: Final[list[Callable[[Arranged], Awaitable[WorkItem]]]] = [
    Arranged.queued,
    Arranged.retrying,
    Arranged.released,
    Arranged.stalled,
]
FINISHED: Final[list[Callable[[Arranged], Awaitable[WorkItem]]]] = [
    Arranged.succeeded,
    Arranged.failed,
    Arranged.stopped,
    Arranged.cancelled,
]


class CancelContract:
    """Waiting: cancelled at once. Running: asked to stop. Finished: too late."""

    @pytest.mark.parametrize("waits", WAITING, ids=lambda arrange: arrange.__name__)
    async def test_a_waiting_item_is_cancelled_and_never_starts(
        self, house: House, waits: Callable[[Arranged], Awaitable[WorkItem]]
    ) -> None:
        item = await waits(Arranged(house))
        past = await house.store.attempts(item.id)

        answer = await house.store.cancel(item.id)

        after = await stored(house.store, item.id)
        assert answer == CancelledNow(after)
        assert after == replace(
            item, state=after.state, revision=item.revision + 1, updated_at=after.updated_at
        )
        assert after.state == Cancelled(
            finished_at=after.updated_at, run=None, cancel_requested_at=after.updated_at
        )
        assert await house.store.attempts(item.id) == past
        assert await house.store.claim(a_claim()) == ()

    async def test_a_running_item_is_asked_to_stop(self, house: House) -> None:
        item = await Arranged(house).running()

        answer = await house.store.cancel(item.id)

        after = await stored(house.store, item.id)
        running = state_of(item, Running)
        assert answer == CancelRequested(after)
        assert after == replace(
            item,
            state=replace(running, cancel_requested_at=after.updated_at),
            revision=3,
            updated_at=after.updated_at,
        )

    async def test_asking_again_changes_nothing(self, house: House) -> None:
        item = await Arranged(house).asked_to_stop()

        answer = await house.store.cancel(item.id)

        assert answer == CancelRequested(item)
        assert await stored(house.store, item.id) == item

    @pytest.mark.parametrize("ends", FINISHED, ids=lambda arrange: arrange.__name__)
    async def test_a_finished_item_stays_as_it_ended(
        self, house: House, ends: Callable[[Arranged], Awaitable[WorkItem]]
    ) -> None:
        item = await ends(Arranged(house))

        answer = await house.store.cancel(item.id)

        assert answer == AlreadyFinished(item)
        assert await stored(house.store, item.id) == item

    async def test_nobody_can_cancel_what_is_not_there(self, house: House) -> None:
        assert await house.store.cancel(an_id()) == UnknownItem()

    async def test_a_cancelled_item_no_longer_holds_its_key(self, house: House) -> None:
        item = await Arranged(house, dedup_key="key").queued()
        await house.store.cancel(item.id)
        new = a_new_item(dedup_key="key")

        assert await house.store.insert(new) == Created(new.id)

    async def test_an_item_that_was_asked_to_stop_does_not_coalesce(self, house: House) -> None:
        await Arranged(house, dedup_key="key").asked_to_stop()
        new, another = a_new_item(dedup_key="key"), a_new_item(dedup_key="key")

        answers = [await house.store.insert(new), await house.store.insert(another)]

        assert answers == [Created(new.id), Coalesced(new.id)]


class CancelRequestContract:
    """A request is never lost: whatever ends the run then, the item does not run again."""

    @pytest.mark.parametrize(
        ("end", "status", "how"),
        [
            (a_success, Status.SUCCEEDED, AttemptEnd.SUCCEEDED),
            (a_failure, Status.CANCELLED, AttemptEnd.CANCELLED),
            (a_retry, Status.CANCELLED, AttemptEnd.CANCELLED),
            (a_stop, Status.CANCELLED, AttemptEnd.CANCELLED),
            (a_release, Status.CANCELLED, AttemptEnd.CANCELLED),
        ],
        ids=["success", "failure", "retry", "stop", "release"],
    )
    async def test_a_request_outlives_every_end(
        self,
        house: House,
        end: Callable[[Attempt], RunEnd],
        status: Status,
        how: AttemptEnd,
    ) -> None:
        item = await Arranged(house).asked_to_stop()

        answer = await house.store.finish(item.id, end(item.attempt))

        after = await stored(house.store, item.id)
        assert answer == Recorded()
        assert after.status is status
        assert [past.how for past in await house.store.attempts(item.id)] == [how]
        assert await house.store.claim(a_claim()) == ()

    async def test_a_request_outlives_a_stall(self, house: House) -> None:
        after = await stalled(house, await Arranged(house).asked_to_stop())

        assert after.status is Status.CANCELLED
        assert await house.store.claim(a_claim()) == ()


class CancelOrderContract:
    """A cancel before, between and after each step of one run."""

    async def test_before_the_claim(self, house: House) -> None:
        item = await Arranged(house).queued()

        cancel = await house.store.cancel(item.id)
        claims = await house.store.claim(a_claim())

        assert isinstance(cancel, CancelledNow)
        assert claims == ()

    async def test_between_claim_and_finish(self, house: House) -> None:
        item = await Arranged(house).queued()

        (running,) = await house.store.claim(a_claim())
        cancel = await house.store.cancel(item.id)
        finish = await house.store.finish(item.id, a_success(running.attempt))

        assert (type(cancel), finish) == (CancelRequested, Recorded())
        assert (await stored(house.store, item.id)).status is Status.SUCCEEDED

    async def test_after_the_finish(self, house: House) -> None:
        item = await Arranged(house).queued()

        (running,) = await house.store.claim(a_claim())
        finish = await house.store.finish(item.id, a_success(running.attempt))
        cancel = await house.store.cancel(item.id)

        assert (finish, type(cancel)) == (Recorded(), AlreadyFinished)
        assert (await stored(house.store, item.id)).status is Status.SUCCEEDED

    async def test_between_the_release_and_the_next_claim(self, house: House) -> None:
        item = await Arranged(house).released()

        cancel = await house.store.cancel(item.id)

        assert isinstance(cancel, CancelledNow)
        assert await house.store.claim(a_claim()) == ()

    async def test_in_the_next_run(self, house: House) -> None:
        await Arranged(house).released()
        again = await claimed(house.store, by=BOB)

        cancel = await house.store.cancel(again.id)
        late = await house.store.finish(again.id, a_release(again.attempt))

        assert (type(cancel), late) == (CancelRequested, Recorded())
        assert (await stored(house.store, again.id)).status is Status.CANCELLED
