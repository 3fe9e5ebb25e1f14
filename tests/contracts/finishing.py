"""What every store promises about the end of a run."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from domain.failure import Failure
from domain.ids import Attempt, JsonText
from domain.outcomes import Fenced, Recorded
from domain.progress import NO_PROGRESS, Progress
from domain.work_item import (
    Cancelled,
    Failed,
    LastRun,
    PartialResult,
    Queued,
    Running,
    Status,
    Succeeded,
    WorkItem,
)
from tests.support.builders import (
    ADA,
    BOB,
    a_claim,
    a_failure,
    a_heartbeat,
    a_release,
    a_retry,
    a_stop,
    a_success,
    claimed,
    enqueued,
)
from tests.support.house import House
from tests.support.moves import Arranged, asked_to_stop, stalled
from tests.support.reading import nearly, state_of, stored

HALFWAY: Final = Progress(done=4, total=8, note="4 of 8")
FULL: Final = Progress(done=8, total=8, note="all 8")
UNREADABLE: Final = Failure("root-unreadable", "It could not be read.")


class FinishContract:
    """Each way to end a run, without and with a cancel request before it."""

    async def test_success_keeps_the_result_and_the_last_progress(self, house: House) -> None:
        item = await halfway(house)

        answer = await house.store.finish(
            item.id, a_success(item.attempt, result='{"new": 8}', progress=FULL)
        )

        after = await stored(house.store, item.id)
        assert answer == Recorded()
        assert after == ended(item, after)
        assert after.state == Succeeded(
            finished_at=after.updated_at, run=run_of(item, FULL), result=JsonText('{"new": 8}')
        )

    async def test_success_after_a_cancel_request_is_success(self, house: House) -> None:
        item = await asked_to_stop(house, await halfway(house))

        await house.store.finish(item.id, a_success(item.attempt, result='{"new":8}'))

        after = await stored(house.store, item.id)
        assert after.state == Succeeded(
            finished_at=after.updated_at,
            run=run_of(item, HALFWAY),
            result=JsonText('{"new":8}'),
            cancel_requested_at=state_of(item, Running).cancel_requested_at,
        )

    async def test_failure_keeps_the_error_and_the_last_progress_but_no_result(self, house: House) -> None:
        item = await halfway(house)

        answer = await house.store.finish(item.id, a_failure(item.attempt))

        after = await stored(house.store, item.id)
        assert answer == Recorded()
        assert after == ended(item, after)
        assert after.state == Failed(
            finished_at=after.updated_at, run=run_of(item, HALFWAY), failure=UNREADABLE
        )

    async def test_failure_after_a_cancel_request_is_a_cancel_with_its_error(self, house: House) -> None:
        item = await asked_to_stop(house, await halfway(house))

        await house.store.finish(item.id, a_failure(item.attempt, progress=FULL))

        after = await stored(house.store, item.id)
        assert after.state == cancelled_run(item, after, progress=FULL, left=UNREADABLE)

    async def test_a_retry_waits_and_shows_the_last_error(self, house: House) -> None:
        item = await halfway(house)

        answer = await house.store.finish(
            item.id, a_retry(item.attempt, code="root-unreadable", wait=timedelta(seconds=90))
        )

        after = await stored(house.store, item.id)
        waiting = state_of(after, Queued)
        assert answer == Recorded()
        assert after == replace(ended(item, after), retries=1)
        assert waiting == Queued(run_after=waiting.run_after, last_failure=UNREADABLE)
        assert waiting.run_after is not None
        assert nearly(waiting.run_after - after.updated_at, timedelta(seconds=90))

    async def test_a_retry_after_a_cancel_request_is_a_cancel_with_its_error(self, house: House) -> None:
        item = await asked_to_stop(house, await halfway(house))

        await house.store.finish(item.id, a_retry(item.attempt, code="root-unreadable"))

        after = await stored(house.store, item.id)
        assert after.state == cancelled_run(item, after, left=UNREADABLE)
        assert after.retries == 0

    async def test_a_stop_keeps_the_partial_result(self, house: House) -> None:
        item = await asked_to_stop(house, await halfway(house))

        answer = await house.store.finish(item.id, a_stop(item.attempt, partial='{"new":4}', progress=FULL))

        after = await stored(house.store, item.id)
        assert answer == Recorded()
        assert after == ended(item, after)
        assert after.state == cancelled_run(
            item, after, progress=FULL, left=PartialResult(JsonText('{"new":4}'))
        )

    async def test_a_stop_that_nobody_asked_for_is_dated_by_its_end(self, house: House) -> None:
        item = await halfway(house)

        await house.store.finish(item.id, a_stop(item.attempt, partial='{"new":4}'))

        after = await stored(house.store, item.id)
        assert after.state == Cancelled(
            finished_at=after.updated_at,
            run=run_of(item, HALFWAY),
            cancel_requested_at=after.updated_at,
            left=PartialResult(JsonText('{"new":4}')),
        )

    async def test_a_release_counts_nothing_and_keeps_its_place(self, house: House) -> None:
        item = await halfway(house)
        younger = await enqueued(house.store)

        answer = await house.store.finish(item.id, a_release(item.attempt))

        after = await stored(house.store, item.id)
        assert answer == Recorded()
        assert after == ended(item, after)
        assert after.state == Queued()
        assert [claim.id for claim in await house.store.claim(a_claim(limit=2))] == [item.id, younger]

    async def test_a_release_after_a_cancel_request_is_a_cancel(self, house: House) -> None:
        item = await asked_to_stop(house, await halfway(house))

        await house.store.finish(item.id, a_release(item.attempt))

        after = await stored(house.store, item.id)
        assert after.state == cancelled_run(item, after, left=None)

    async def test_finish_and_claim_does_both(self, house: House) -> None:
        item = await Arranged(house).running(by=ADA)
        next_item, later = await enqueued(house.store), await enqueued(house.store)

        answer, claims = await house.store.finish_and_claim(item.id, a_success(item.attempt), a_claim(by=ADA))

        assert answer == Recorded()
        assert [claim.id for claim in claims] == [next_item]
        assert (await stored(house.store, item.id)).status is Status.SUCCEEDED
        assert await stored(house.store, next_item) == claims[0]
        assert (await stored(house.store, later)).status is Status.QUEUED

    async def test_finish_and_claim_may_find_nothing_to_claim(self, house: House) -> None:
        item = await Arranged(house).running()

        assert await house.store.finish_and_claim(item.id, a_failure(item.attempt), a_claim()) == (
            Recorded(),
            (),
        )

    async def test_whoever_is_fenced_may_still_claim_the_next(self, house: House) -> None:
        item = await stalled(house, await Arranged(house).running())
        again = await claimed(house.store, by=BOB)
        next_item = await enqueued(house.store)

        answer, claims = await house.store.finish_and_claim(item.id, a_success(Attempt(1)), a_claim(by=ADA))

        assert answer == Fenced()
        assert [claim.id for claim in claims] == [next_item]
        assert await stored(house.store, item.id) == again


async def halfway(house: House) -> WorkItem:
    """A running item that has told how far it is."""
    item = await Arranged(house).running()
    await house.store.heartbeat(item.id, a_heartbeat(item.attempt, progress=HALFWAY))
    return await stored(house.store, item.id)


def run_of(item: WorkItem, progress: Progress = NO_PROGRESS) -> LastRun:
    """What stays known of this item's run."""
    return LastRun(claimed_by=ADA, started_at=state_of(item, Running).started_at, progress=progress)


def ended(item: WorkItem, after: WorkItem) -> WorkItem:
    """The item with nothing changed beside its state and what every write changes."""
    assert after.updated_at >= item.updated_at
    return replace(item, state=after.state, updated_at=after.updated_at, revision=item.revision + 1)


def cancelled_run(
    item: WorkItem, after: WorkItem, *, left: PartialResult | Failure | None, progress: Progress = HALFWAY
) -> Cancelled:
    """The state of an item that ended cancelled after it was asked to stop."""
    return Cancelled(
        finished_at=after.updated_at,
        run=run_of(item, progress),
        cancel_requested_at=state_of(item, Running).cancel_requested_at,
        left=left,
    )
