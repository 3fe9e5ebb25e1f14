"""What every store promises about leases that ran out."""

from dataclasses import replace
from datetime import timedelta

from application.ports.expired import ExpiredLease
from domain.attempt import AttemptEnd
from domain.failure import Failure
from domain.ids import Attempt
from domain.outcomes import Fenced, LeaseExtended, NotExpired, Recorded, Recovered
from domain.progress import Progress
from domain.work_item import Cancelled, Failed, LastRun, Queued, Running, Status
from tests.support.builders import (
    ADA,
    BOB,
    LEASE,
    STALL_LIMIT,
    a_claim,
    a_heartbeat,
    a_new_item,
    a_release,
    a_retry,
    a_success,
    an_id,
    claimed,
    enqueued,
)
from tests.support.house import House
from tests.support.moves import Arranged, sighted, sighting_of, stalled
from tests.support.reading import state_of, stored


class ExpiryContract:
    """Which leases have run out."""

    async def test_a_lease_is_seen_once_it_has_run_out(self, house: House) -> None:
        item = await Arranged(house).running()

        await house.age(LEASE - timedelta(seconds=20))
        early = await house.store.expired(limit=5)
        await house.age(timedelta(seconds=20))
        late = await house.store.expired(limit=5)

        assert early == ()
        assert late == (sighting_of(await stored(house.store, item.id)),)

    async def test_the_longest_expired_is_seen_first(self, house: House) -> None:
        first = await Arranged(house).running()
        await house.age(timedelta(seconds=1))
        second = await Arranged(house).running()
        await house.age(timedelta(seconds=1))
        third = await Arranged(house).running()
        await house.age(LEASE)

        assert [seen.id for seen in await house.store.expired(limit=2)] == [first.id, second.id]
        assert [seen.id for seen in await house.store.expired(limit=3)] == [first.id, second.id, third.id]

    async def test_only_running_items_have_a_lease_that_can_run_out(self, house: House) -> None:
        await Arranged(house).succeeded()
        await Arranged(house).stopped()
        await Arranged(house).released()
        await house.age(LEASE)

        assert await house.store.expired(limit=5) == ()

    async def test_recovery_judges_no_kind(self, house: House) -> None:
        unknown = await enqueued(house.store, a_new_item(kind="from-the-future"))
        running = await claimed(
            house.store, a_claim(kinds=frozenset({a_new_item(kind="from-the-future").kind}))
        )

        after = await stalled(house, running)

        assert (after.id, after.status, after.stalls) == (unknown, Status.QUEUED, 1)


class RecoveryContract:
    """What becomes of an item whose lease ran out."""

    async def test_a_stalled_item_goes_back_to_its_place(self, house: House) -> None:
        running = await Arranged(house).running()
        younger = await enqueued(house.store)
        await house.age(LEASE)
        before = await stored(house.store, running.id)

        answer = await house.store.recover(sighting_of(before), stall_limit=STALL_LIMIT)

        after = await stored(house.store, running.id)
        assert answer == Recovered(after)
        assert after == replace(before, state=Queued(), stalls=1, revision=3, updated_at=after.updated_at)
        assert [claim.id for claim in await house.store.claim(a_claim(limit=2))] == [running.id, younger]

    async def test_an_item_fails_when_it_stalled_too_often(self, house: House) -> None:
        await stalled(house, await Arranged(house).running())
        await stalled(house, await claimed(house.store, by=BOB))
        third = await claimed(house.store, by=ADA)
        progress = Progress(done=1, total=2, note="1 of 2")
        await house.store.heartbeat(third.id, a_heartbeat(third.attempt, progress=progress))
        await house.age(LEASE)
        before = await stored(house.store, third.id)

        answer = await house.store.recover(sighting_of(before), stall_limit=STALL_LIMIT)

        after = await stored(house.store, third.id)
        assert answer == Recovered(after)
        assert (after.attempt, after.stalls, after.revision) == (3, 3, before.revision + 1)
        assert after.state == Failed(
            finished_at=after.updated_at,
            run=LastRun(claimed_by=ADA, started_at=state_of(before, Running).started_at, progress=progress),
            failure=Failure("stalled", "Its lease ran out 3 times; last held by worker-ada."),
        )

    async def test_a_limit_of_one_forgives_no_stall(self, house: House) -> None:
        after = await stalled(house, await Arranged(house).running(), stall_limit=1)

        assert state_of(after, Failed).failure == Failure(
            "stalled", "Its lease ran out once; last held by worker-ada."
        )

    async def test_releases_and_retries_do_not_count_to_the_limit(self, house: House) -> None:
        await Arranged(house).queued()
        for _ in range(STALL_LIMIT):
            item = await claimed(house.store)
            await house.store.finish(item.id, a_release(item.attempt))
            item = await claimed(house.store)
            await house.store.finish(item.id, a_retry(item.attempt, wait=timedelta()))

        after = await stalled(house, await claimed(house.store))

        assert (after.status, after.attempt, after.stalls, after.retries) == (Status.QUEUED, 7, 1, 3)

    async def test_an_item_that_was_asked_to_stop_is_not_run_again(self, house: House) -> None:
        await Arranged(house).asked_to_stop()
        await house.age(LEASE)
        (sighting,) = await house.store.expired(limit=5)
        before = await stored(house.store, sighting.id)

        answer = await house.store.recover(sighting, stall_limit=STALL_LIMIT)

        after = await stored(house.store, sighting.id)
        running = state_of(before, Running)
        assert answer == Recovered(after)
        assert after.stalls == 1
        assert after.state == Cancelled(
            finished_at=after.updated_at,
            run=LastRun(ADA, running.started_at, running.progress),
            cancel_requested_at=running.cancel_requested_at,
        )
        assert [past.how for past in await house.store.attempts(after.id)] == [AttemptEnd.STALLED]

    async def test_a_cancel_outweighs_the_stall_limit(self, house: House) -> None:
        after = await stalled(house, await Arranged(house).asked_to_stop(), stall_limit=1)

        assert (state_of(after, Cancelled).left, after.stalls) == (None, 1)


class LateRecoveryContract:
    """A recovery that comes too late, or too early, changes nothing."""

    async def test_a_lease_that_still_runs_is_not_recovered(self, house: House) -> None:
        item = await Arranged(house).running()

        assert await house.store.recover(sighting_of(item), stall_limit=STALL_LIMIT) == NotExpired()
        assert await stored(house.store, item.id) == item

    async def test_a_heartbeat_after_the_sighting_saves_the_item(self, house: House) -> None:
        item = await Arranged(house).running()
        await house.age(LEASE)
        sighting = await sighted(house, item.id)
        assert await house.store.heartbeat(item.id, a_heartbeat(item.attempt)) == LeaseExtended()
        before = await stored(house.store, item.id)

        assert await house.store.recover(sighting, stall_limit=STALL_LIMIT) == NotExpired()
        assert await stored(house.store, item.id) == before

    async def test_so_it_does_when_the_new_lease_has_run_out_too(self, house: House) -> None:
        item = await Arranged(house).running()
        await house.age(LEASE)
        sighting = await sighted(house, item.id)
        await house.store.heartbeat(item.id, a_heartbeat(item.attempt, lease_for=timedelta(seconds=1)))
        await house.age(timedelta(seconds=1))
        assert await sighted(house, item.id) != sighting

        assert await house.store.recover(sighting, stall_limit=STALL_LIMIT) == NotExpired()

    async def test_a_finish_before_the_recovery_stands(self, house: House) -> None:
        item = await Arranged(house).running()
        await house.age(LEASE)
        sighting = await sighted(house, item.id)
        assert await house.store.finish(item.id, a_success(item.attempt)) == Recorded()
        before = await stored(house.store, item.id)

        assert await house.store.recover(sighting, stall_limit=STALL_LIMIT) == NotExpired()
        assert await stored(house.store, item.id) == before

    async def test_a_recovery_before_the_finish_stands(self, house: House) -> None:
        item = await Arranged(house).running()
        after = await stalled(house, item)

        assert await house.store.finish(item.id, a_success(item.attempt)) == Fenced()
        assert await stored(house.store, item.id) == after

    async def test_a_stall_is_counted_once_however_many_saw_it(self, house: House) -> None:
        item = await Arranged(house).running()
        await house.age(LEASE)
        sighting = await sighted(house, item.id)

        answers = [await house.store.recover(sighting, stall_limit=STALL_LIMIT) for _ in range(2)]

        assert [type(answer) for answer in answers] == [Recovered, NotExpired]
        assert (await stored(house.store, item.id)).stalls == 1

    async def test_the_next_attempt_is_not_the_one_that_was_sighted(self, house: House) -> None:
        item = await Arranged(house).running()
        await house.age(LEASE)
        sighting = await sighted(house, item.id)
        await house.store.recover(sighting, stall_limit=STALL_LIMIT)
        await claimed(house.store)
        await house.age(LEASE)
        again = await stored(house.store, item.id)

        assert await house.store.recover(sighting, stall_limit=STALL_LIMIT) == NotExpired()
        assert (
            await house.store.recover(replace(sighting_of(again), attempt=Attempt(1)), stall_limit=3)
            == NotExpired()
        )
        assert await stored(house.store, item.id) == again

    async def test_an_item_that_is_gone_is_not_recovered(self, house: House) -> None:
        running = await Arranged(house).running()
        sighting = ExpiredLease(an_id(), Attempt(1), state_of(running, Running).lease.until)

        assert await house.store.recover(sighting, stall_limit=STALL_LIMIT) == NotExpired()

    async def test_one_item_that_cannot_go_back_stops_no_other(self, house: House) -> None:
        superseded = await Arranged(house, dedup_key="key").running()
        stopping = await Arranged(house).asked_to_stop()
        plain = await Arranged(house).running()
        await enqueued(house.store, a_new_item(dedup_key="key"))
        await house.age(LEASE)

        sightings = await house.store.expired(limit=5)
        answers = [await house.store.recover(sighting, stall_limit=STALL_LIMIT) for sighting in sightings]

        assert [sighting.id for sighting in sightings] == [superseded.id, stopping.id, plain.id]
        assert [type(answer) for answer in answers] == [Recovered, Recovered, Recovered]
        assert await house.store.expired(limit=5) == ()
