"""What every store promises about the past: of a dedup key, and of an item."""

from datetime import timedelta
from typing import Final

from domain.attempt import AttemptEnd, EndedAttempt
from domain.due import KeyHistory
from domain.ids import Attempt, DedupKey
from domain.work_item import Running, WorkItem
from tests.support.builders import (
    ADA,
    BOB,
    a_failure,
    a_heartbeat,
    a_reason,
    a_release,
    a_retry,
    a_stop,
    a_success,
    an_id,
    claimed,
)
from tests.support.house import House
from tests.support.moves import Arranged, stalled
from tests.support.reading import nearly, now_in, state_of, stored

A_SECOND: Final = timedelta(seconds=1)


class HistoryContract:
    """What due-ness knows of a key, and what people know of an item."""

    async def test_a_key_that_was_never_seen_is_absent(self, house: House) -> None:
        await Arranged(house, dedup_key="other").queued()

        histories = await house.store.histories(frozenset({DedupKey("key")}))

        assert dict(histories.by_key) == {}

    async def test_no_keys_have_no_histories(self, house: House) -> None:
        await Arranged(house, dedup_key="key").queued()

        histories = await house.store.histories(frozenset())

        assert dict(histories.by_key) == {}
        assert nearly(histories.as_of - await now_in(house.store), timedelta())

    async def test_a_key_is_active_while_its_item_waits_or_runs(self, house: House) -> None:
        await Arranged(house, dedup_key="runs").running()
        await Arranged(house, dedup_key="retries").retrying()
        await Arranged(house, dedup_key="waits").queued()
        keys = frozenset({DedupKey("waits"), DedupKey("runs"), DedupKey("retries")})

        histories = await house.store.histories(keys)

        assert dict(histories.by_key) == dict.fromkeys(keys, KeyHistory(active=True, last_finished_at=None))

    async def test_the_latest_finish_of_a_key_counts(self, house: House) -> None:
        await Arranged(house, dedup_key="key").failed()
        await house.age(A_SECOND)
        last = await Arranged(house, dedup_key="key").succeeded()
        stopped = await Arranged(house, dedup_key="both").stopped()
        await Arranged(house, dedup_key="both").running()

        histories = await house.store.histories(frozenset({DedupKey("key"), DedupKey("both")}))

        assert dict(histories.by_key) == {
            "key": KeyHistory(active=False, last_finished_at=last.updated_at),
            "both": KeyHistory(active=True, last_finished_at=stopped.updated_at),
        }

    async def test_every_attempt_leaves_its_history(self, house: House) -> None:
        await Arranged(house).queued()
        runs: list[WorkItem] = []

        runs.append(await claimed(house.store, by=ADA))
        await house.store.finish(runs[0].id, a_retry(runs[0].attempt, wait=timedelta(), code="busy"))
        runs.append(await claimed(house.store, by=BOB))
        await house.store.finish(runs[1].id, a_release(runs[1].attempt))
        runs.append(await claimed(house.store, by=ADA))
        await house.store.finish(runs[2].id, a_failure(runs[2].attempt, code="root-unreadable"))

        past = await house.store.attempts(runs[0].id)
        assert past == (
            ended(runs[0], past[0], AttemptEnd.RETRIED, code="busy"),
            ended(runs[1], past[1], AttemptEnd.RELEASED),
            ended(runs[2], past[2], AttemptEnd.FAILED, code="root-unreadable"),
        )
        assert [attempt.attempt for attempt in past] == [1, 2, 3]
        assert [attempt.claimed_by for attempt in past] == [ADA, BOB, ADA]
        assert past[2].ended_at == (await stored(house.store, runs[0].id)).updated_at

    async def test_success_and_stop_leave_their_history(self, house: House) -> None:
        good, stopped = await Arranged(house).running(), await Arranged(house).asked_to_stop()
        await house.store.finish(good.id, a_success(good.attempt))
        await house.store.finish(stopped.id, a_stop(stopped.attempt))

        good_past = await house.store.attempts(good.id)
        stopped_past = await house.store.attempts(stopped.id)

        assert good_past == (ended(good, good_past[0], AttemptEnd.SUCCEEDED),)
        assert stopped_past == (ended(stopped, stopped_past[0], AttemptEnd.CANCELLED),)

    async def test_a_failure_after_a_cancel_request_stays_in_the_history(self, house: House) -> None:
        item = await Arranged(house).asked_to_stop()
        await house.store.finish(item.id, a_failure(item.attempt, code="root-unreadable"))

        past = await house.store.attempts(item.id)

        assert past == (ended(item, past[0], AttemptEnd.CANCELLED, code="root-unreadable"),)

    async def test_a_stall_leaves_its_history(self, house: House) -> None:
        first = await Arranged(house).running()
        await stalled(house, first)
        second = await claimed(house.store, by=BOB)
        await stalled(house, second, stall_limit=2)

        past = await house.store.attempts(first.id)

        assert [(one.attempt, one.claimed_by, one.how) for one in past] == [
            (1, ADA, AttemptEnd.STALLED),
            (2, BOB, AttemptEnd.STALLED),
        ]
        assert past[0].failure is None
        assert past[1].failure is not None
        assert past[1].failure.code == "stalled"

    async def test_a_run_under_way_is_no_history_yet(self, house: House) -> None:
        item = await Arranged(house).running()
        await house.store.heartbeat(item.id, a_heartbeat(Attempt(1)))
        await house.store.cancel(item.id)

        assert await house.store.attempts(item.id) == ()
        assert await house.store.attempts(an_id()) == ()


def ended(run: WorkItem, past: EndedAttempt, how: AttemptEnd, *, code: str | None = None) -> EndedAttempt:
    """What the history of this run says."""
    return EndedAttempt(
        attempt=run.attempt,
        claimed_by=state_of(run, Running).lease.holder,
        started_at=state_of(run, Running).started_at,
        ended_at=past.ended_at,
        how=how,
        failure=None if code is None else a_reason(code),
    )
