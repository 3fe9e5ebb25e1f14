"""What every store promises when many act at the same moment."""

import asyncio
from collections import Counter

import pytest

from domain.ids import WorkerName
from domain.outcomes import (
    AlreadyFinished,
    CancelledNow,
    CancelRequested,
    Coalesced,
    Created,
    Fenced,
    LeaseExtended,
    NotExpired,
    Recorded,
    Recovered,
)
from domain.work_item import Status, WorkItem
from tests.support.builders import (
    ADA,
    BOB,
    LEASE,
    STALL_LIMIT,
    a_claim,
    a_heartbeat,
    a_new_item,
    a_release,
    a_success,
    enqueued,
)
from tests.support.house import House
from tests.support.moves import Arranged, sighting_of
from tests.support.reading import everything, stored

ROUNDS = 6
"""How often a race is run: who wins differs."""


class EnqueueRaceContract:
    """Racing requests."""

    async def test_20_racing_requests_with_one_key_make_one_item(self, house: House) -> None:
        news = [a_new_item(dedup_key="key") for _ in range(20)]

        answers = await asyncio.gather(*(house.store.insert(new) for new in news))

        (item,) = await everything(house.store)
        assert Counter(answers) == {Created(item): 1, Coalesced(item): 19}

    async def test_20_racing_requests_without_a_key_make_20_items(self, house: House) -> None:
        news = [a_new_item() for _ in range(20)]

        answers = await asyncio.gather(*(house.store.insert(new) for new in news))

        assert answers == [Created(new.id) for new in news]
        assert set(await everything(house.store)) == {new.id for new in news}

    async def test_requests_that_race_with_claims_and_finishes_are_always_answered(
        self, house: House
    ) -> None:
        news = [a_new_item(dedup_key="key") for _ in range(60)]

        answers, _ = await asyncio.gather(
            asyncio.gather(*(house.store.insert(new) for new in news)), claim_and_finish(house, times=30)
        )

        items = await everything(house.store)
        created = [answer.id for answer in answers if isinstance(answer, Created)]
        assert sorted(created) == sorted(items)
        assert {answer.id for answer in answers if not isinstance(answer, Created)} <= set(items)  # type: ignore[union-attr]

    async def test_the_same_request_told_twice_at_once_is_one_item(self, house: House) -> None:
        new = a_new_item(dedup_key="key")

        answers = await asyncio.gather(*(house.store.insert(new) for _ in range(8)))

        assert set(answers) == {Created(new.id)}
        assert set(await everything(house.store)) == {new.id}


class ClaimRaceContract:
    """Racing claimers."""

    async def test_8_racing_claimers_start_each_of_500_items_once(self, house: House) -> None:
        items = {await enqueued(house.store) for _ in range(500)}

        claims = await asyncio.gather(*(claim_all(house, by=WorkerName(f"worker-{n}")) for n in range(8)))

        started = Counter(item.id for claim in claims for item in claim)
        assert started == dict.fromkeys(items, 1)
        assert {item.attempt for item in (await everything(house.store)).values()} == {1}

    async def test_claimers_of_many_at_once_share_without_loss(self, house: House) -> None:
        items = {await enqueued(house.store) for _ in range(40)}

        claims = await asyncio.gather(*(house.store.claim(a_claim(limit=7)) for _ in range(8)))

        started = [item.id for claim in claims for item in claim]
        assert len(started) == len(set(started))
        left = await house.store.claim(a_claim(limit=40))
        assert {*started, *(item.id for item in left)} == items

    async def test_one_item_has_one_taker(self, house: House) -> None:
        for _ in range(ROUNDS):
            item = await enqueued(house.store)

            claims = await asyncio.gather(*(house.store.claim(a_claim()) for _ in range(6)))

            assert sorted(len(claim) for claim in claims) == [0, 0, 0, 0, 0, 1]
            assert (await stored(house.store, item)).attempt == 1

    async def test_finish_and_claim_racing_with_claims_starts_each_item_once(self, house: House) -> None:
        items = {await enqueued(house.store) for _ in range(40)}

        runs = await asyncio.gather(*(chain(house, by=WorkerName(f"worker-{n}")) for n in range(4)))

        started = Counter(item.id for run in runs for item in run)
        assert started == dict.fromkeys(items, 1)
        assert {item.status for item in (await everything(house.store)).values()} == {Status.SUCCEEDED}


class EndRaceContract:
    """Racing ends: exactly one of two contradicting moves happens, and each is told the truth."""

    async def test_a_cancel_racing_with_a_claim(self, house: House) -> None:
        for _ in range(ROUNDS):
            item = await enqueued(house.store)

            cancel, claims = await asyncio.gather(house.store.cancel(item), house.store.claim(a_claim()))

            status = (await stored(house.store, item)).status
            if isinstance(cancel, CancelledNow):
                assert (claims, status) == ((), Status.CANCELLED)
            else:
                assert isinstance(cancel, CancelRequested)
                assert ([claim.id for claim in claims], status) == ([item], Status.RUNNING)

    async def test_a_cancel_racing_with_a_finish(self, house: House) -> None:
        for _ in range(ROUNDS):
            item = await Arranged(house).running()

            cancel, finish = await asyncio.gather(
                house.store.cancel(item.id), house.store.finish(item.id, a_success(item.attempt))
            )

            after = await stored(house.store, item.id)
            assert (finish, after.status) == (Recorded(), Status.SUCCEEDED)
            assert isinstance(cancel, AlreadyFinished | CancelRequested)
            assert after.revision == (3 if isinstance(cancel, AlreadyFinished) else 4)

    async def test_a_cancel_racing_with_a_release(self, house: House) -> None:
        for _ in range(ROUNDS):
            item = await Arranged(house).running()

            cancel, finish = await asyncio.gather(
                house.store.cancel(item.id), house.store.finish(item.id, a_release(item.attempt))
            )

            assert finish == Recorded()
            assert isinstance(cancel, CancelledNow | CancelRequested)
            assert (await stored(house.store, item.id)).status is Status.CANCELLED

    async def test_many_cancels_at_once_cancel_once(self, house: House) -> None:
        for _ in range(ROUNDS):
            item = await enqueued(house.store)

            answers = await asyncio.gather(*(house.store.cancel(item) for _ in range(5)))

            assert Counter(type(answer) for answer in answers) == {CancelledNow: 1, AlreadyFinished: 4}

    @pytest.mark.parametrize("finish_first", [True, False])
    async def test_a_recovery_racing_with_a_finish(self, house: House, *, finish_first: bool) -> None:
        for _ in range(ROUNDS):
            item = await expired(house)
            finish = house.store.finish(item.id, a_success(item.attempt))
            recover = house.store.recover(sighting_of(item), stall_limit=1)

            racers = (finish, recover) if finish_first else (recover, finish)
            answers = set(map(type, await asyncio.gather(*racers)))

            after = await stored(house.store, item.id)
            assert (answers, after.status, after.stalls) in (
                ({Recorded, NotExpired}, Status.SUCCEEDED, 0),
                ({Fenced, Recovered}, Status.FAILED, 1),
            )
            assert len(await house.store.attempts(item.id)) == 1

    async def test_a_recovery_racing_with_a_heartbeat(self, house: House) -> None:
        for _ in range(ROUNDS):
            item = await expired(house)

            beat, recovery = await asyncio.gather(
                house.store.heartbeat(item.id, a_heartbeat(item.attempt)),
                house.store.recover(sighting_of(item), stall_limit=1),
            )

            status = (await stored(house.store, item.id)).status
            assert (type(beat), type(recovery), status) in (
                (LeaseExtended, NotExpired, Status.RUNNING),
                (Fenced, Recovered, Status.FAILED),
            )

    async def test_many_recoverers_count_one_stall(self, house: House) -> None:
        item = await expired(house)
        sighting = sighting_of(item)

        answers = await asyncio.gather(
            *(house.store.recover(sighting, stall_limit=STALL_LIMIT) for _ in range(6))
        )

        assert Counter(map(type, answers)) == {Recovered: 1, NotExpired: 5}
        assert (await stored(house.store, item.id)).stalls == 1

    async def test_a_finish_told_twice_at_once_is_recorded_once(self, house: House) -> None:
        item = await Arranged(house).running()

        answers = await asyncio.gather(
            *(house.store.finish(item.id, a_success(item.attempt)) for _ in range(4))
        )

        assert answers == [Recorded()] * 4
        assert (await stored(house.store, item.id)).revision == 3
        assert len(await house.store.attempts(item.id)) == 1

    async def test_two_that_go_back_at_once_leave_one_waiting(self, house: House) -> None:
        for number in range(ROUNDS):
            first = await Arranged(house, dedup_key=f"key-{number}").running(by=ADA)
            second = await Arranged(house, dedup_key=f"key-{number}").running(by=BOB)

            answers = await asyncio.gather(
                *(house.store.finish(item.id, a_release(item.attempt)) for item in (first, second))
            )

            items = [await stored(house.store, item.id) for item in (first, second)]
            assert answers == [Recorded(), Recorded()]
            assert {item.status for item in items} == {Status.QUEUED, Status.CANCELLED}
            (waiting,) = [item for item in items if item.status is Status.QUEUED]
            assert waiting.requested_at == min(first.requested_at, second.requested_at)
            await house.store.cancel(waiting.id)

    async def test_a_return_racing_with_a_request_leaves_one_waiting(self, house: House) -> None:
        for number in range(ROUNDS):
            item = await Arranged(house, dedup_key=f"key-{number}").running()
            new = a_new_item(dedup_key=f"key-{number}")

            finish, answer = await asyncio.gather(
                house.store.finish(item.id, a_release(item.attempt)), house.store.insert(new)
            )

            after = await stored(house.store, item.id)
            assert (finish, answer, after.status) in (
                (Recorded(), Created(new.id), Status.CANCELLED),
                (Recorded(), Coalesced(item.id), Status.QUEUED),
            )
            waiting = new.id if isinstance(answer, Created) else item.id
            assert (await stored(house.store, waiting)).requested_at == item.requested_at
            await house.store.cancel(waiting)


async def claim_all(house: House, *, by: WorkerName) -> list[WorkItem]:
    """Claim one item after another until none is left."""
    claims: list[WorkItem] = []
    while more := await house.store.claim(a_claim(by=by)):
        claims += more
    return claims


async def chain(house: House, *, by: WorkerName) -> list[WorkItem]:
    """Claim an item, then finish each and claim the next in one step, until none is left."""
    runs = list(await house.store.claim(a_claim(by=by)))
    while len(runs) > 0:
        last = runs[-1]
        _, more = await house.store.finish_and_claim(last.id, a_success(last.attempt), a_claim(by=by))
        if not more:
            break
        runs += more
    return runs


async def claim_and_finish(house: House, *, times: int) -> None:
    """Work off whatever waits, many times over."""
    for _ in range(times):
        for item in await house.store.claim(a_claim(limit=3)):
            await house.store.finish(item.id, a_success(item.attempt))


async def expired(house: House) -> WorkItem:
    """A running item whose lease has run out."""
    item = await Arranged(house).running()
    await house.age(LEASE)
    return await stored(house.store, item.id)
