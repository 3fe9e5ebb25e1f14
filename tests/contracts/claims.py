"""What every store promises about claims."""

from dataclasses import replace
from datetime import timedelta

from application.ports.claims import Ticket
from domain.ids import Attempt, JsonText, StorageConfigId, WorkItemId
from domain.outcomes import Recorded
from domain.progress import NO_PROGRESS, Progress
from domain.scope import AllScopes, UserScope
from domain.work_item import Queued, Running, Status
from tests.support.builders import (
    ADA,
    BOB,
    CLEANUP,
    CRAWL,
    LEASE,
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
from tests.support.moves import Arranged
from tests.support.reading import nearly, now_in, state_of, stored


class ClaimContract:
    """First in, first out among what is ready, known and served."""

    async def test_a_claim_starts_the_next_attempt(self, house: House) -> None:
        item = await Arranged(house).queued()

        running = await claimed(house.store, by=ADA)

        state = state_of(running, Running)
        assert running == replace(
            item, attempt=Attempt(1), revision=2, state=state, updated_at=running.updated_at
        )
        assert state == Running(lease=state.lease, started_at=state.started_at)
        assert state.lease.holder == ADA
        assert nearly(state.lease.until - state.started_at, LEASE)
        assert running.updated_at == state.started_at
        assert running.updated_at >= item.updated_at
        assert await stored(house.store, item.id) == running

    async def test_a_claim_clears_what_the_run_before_left(self, house: House) -> None:
        item = await Arranged(house).running()
        beat = a_heartbeat(item.attempt, progress=Progress(done=5, total=9, note="5 of 9"))
        await house.store.heartbeat(item.id, beat)
        await house.store.finish(item.id, a_retry(item.attempt, wait=timedelta()))

        again = await claimed(house.store, by=BOB)

        assert again.attempt == 2
        assert state_of(again, Running).progress == NO_PROGRESS
        assert state_of(again, Running).cancel_requested_at is None
        assert state_of(again, Running).lease.holder == BOB

    async def test_a_claim_finds_nothing_where_nothing_waits(self, house: House) -> None:
        await Arranged(house).running()

        assert await house.store.claim(a_claim()) == ()

    async def test_items_come_out_in_the_order_in_which_they_came_in(self, house: House) -> None:
        first, second, third = [await enqueued(house.store) for _ in range(3)]

        order = [(await claimed(house.store)).id for _ in range(3)]

        assert order == [first, second, third]

    async def test_items_of_one_instant_come_out_by_id(self, house: House) -> None:
        first, second, third = an_id(), an_id(), an_id()
        now = await now_in(house.store)
        for item in (third, first, second):
            await house.pokes.put(a_new_item(id=item).queued_at(now))

        order = [(await claimed(house.store)).id for _ in range(3)]

        assert order == [first, second, third]

    async def test_the_time_of_the_request_outweighs_the_id(self, house: House) -> None:
        younger, older = an_id(), an_id()
        await enqueued(house.store, a_new_item(id=older))
        await house.age(timedelta(seconds=1))
        await enqueued(house.store, a_new_item(id=younger))

        assert (await claimed(house.store)).id == older

    async def test_a_claim_takes_as_many_as_it_may(self, house: House) -> None:
        first, second, third = [await enqueued(house.store) for _ in range(3)]

        two = await house.store.claim(a_claim(limit=2))
        rest = await house.store.claim(a_claim(limit=5))

        assert [item.id for item in two] == [first, second]
        assert [item.id for item in rest] == [third]
        assert {item.attempt for item in (*two, *rest)} == {1}

    async def test_an_item_is_not_claimed_before_its_wait_is_over(self, house: House) -> None:
        item = await Arranged(house).retrying()
        assert state_of(item, Queued).run_after is not None

        await house.age(timedelta(seconds=20))
        early = await house.store.claim(a_claim())
        await house.age(timedelta(seconds=10))
        in_time = await house.store.claim(a_claim())

        assert early == ()
        assert [claim.id for claim in in_time] == [item.id]

    async def test_an_item_that_waited_for_its_retry_keeps_its_place(self, house: House) -> None:
        retried = await Arranged(house).retrying()
        younger = await enqueued(house.store)
        await house.age(timedelta(seconds=30))

        claims = await house.store.claim(a_claim(limit=2))

        assert [claim.id for claim in claims] == [retried.id, younger]

    async def test_an_item_that_waits_for_its_retry_holds_nobody_up(self, house: House) -> None:
        await Arranged(house).retrying()
        younger = await enqueued(house.store)

        assert (await claimed(house.store)).id == younger

    async def test_unknown_kinds_are_never_claimed(self, house: House) -> None:
        unknown = await enqueued(house.store, a_new_item(kind="from-the-future"))
        known = await enqueued(house.store, a_new_item(kind=CRAWL))

        claims = await house.store.claim(a_claim(kinds=frozenset({CLEANUP, CRAWL}), limit=5))

        assert [claim.id for claim in claims] == [known]
        assert (await stored(house.store, unknown)).status is Status.QUEUED

    async def test_many_unknown_kinds_hide_nothing(self, house: House) -> None:
        for _ in range(30):
            await enqueued(house.store, a_new_item(kind="from-the-future"))
        known = await enqueued(house.store)

        assert (await claimed(house.store)).id == known

    async def test_who_knows_no_kind_is_given_nothing(self, house: House) -> None:
        await enqueued(house.store)

        assert await house.store.claim(a_claim(kinds=frozenset())) == ()

    async def test_kinds_share_one_queue(self, house: House) -> None:
        first = await enqueued(house.store, a_new_item(kind=CRAWL))
        second = await enqueued(house.store, a_new_item(kind=CLEANUP))
        third = await enqueued(house.store, a_new_item(kind=CRAWL))

        claims = await house.store.claim(a_claim(limit=3))

        assert [claim.id for claim in claims] == [first, second, third]

    async def test_the_payload_comes_back_as_it_went_in(self, house: House) -> None:
        payload = '{"b":1, "a":{"text":"\\"\\\\ 東京 \N{CAMERA} \\u2028"},"n":9007199254740991,"x":0.1}'
        await enqueued(house.store, a_new_item(payload=payload))

        assert (await claimed(house.store)).payload == JsonText(payload)


class ScopeContract:
    """Who is served what (S-12)."""

    async def test_an_all_user_worker_is_served_everything(self, house: House) -> None:
        items = [
            await a_crawl(house, config=await house.a_config()),
            await a_crawl(house, config=await house.a_config()),
            await enqueued(house.store),
        ]

        claims = await house.store.claim(a_claim(scope=AllScopes(), limit=5))

        assert [claim.id for claim in claims] == items

    async def test_a_user_is_served_their_own_and_the_unscoped(self, house: House) -> None:
        user = await house.a_user()
        one, two = await house.a_config(of=user), await house.a_config(of=user)
        foreign = await a_crawl(house, config=await house.a_config())
        own = await a_crawl(house, config=two)
        unscoped = await enqueued(house.store)
        other = await a_crawl(house, config=one)

        claims = await house.store.claim(a_claim(scope=UserScope(user), limit=5))

        assert [claim.id for claim in claims] == [own, unscoped, other]
        assert (await stored(house.store, foreign)).status is Status.QUEUED

    async def test_a_user_without_a_config_is_served_the_unscoped_only(self, house: House) -> None:
        await a_crawl(house, config=await house.a_config())
        unscoped = await enqueued(house.store)

        claims = await house.store.claim(a_claim(scope=UserScope(await house.a_user()), limit=5))

        assert [claim.id for claim in claims] == [unscoped]

    async def test_a_user_is_not_served_their_inactive_configs(self, house: House) -> None:
        user = await house.a_user()
        config = await house.a_config(of=user)
        await a_crawl(house, config=config)
        await house.pokes.deactivate(config)

        assert await house.store.claim(a_claim(scope=UserScope(user), limit=5)) == ()

    async def test_an_inactive_config_is_still_an_all_user_workers(self, house: House) -> None:
        config = await house.a_config()
        item = await a_crawl(house, config=config)
        await house.pokes.deactivate(config)

        assert [claim.id for claim in await house.store.claim(a_claim(limit=5))] == [item]

    async def test_a_config_counts_from_the_moment_it_is_added(self, house: House) -> None:
        user = await house.a_user()
        request = a_claim(scope=UserScope(user), limit=5)
        assert await house.store.claim(request) == ()

        item = await a_crawl(house, config=await house.a_config(of=user))

        assert [claim.id for claim in await house.store.claim(request)] == [item]

    async def test_a_retry_is_routed_like_its_first_try(self, house: House) -> None:
        user, stranger = await house.a_user(), await house.a_user()
        item = await a_crawl(house, config=await house.a_config(of=user))
        first = await claimed(house.store)
        await house.store.finish(item, a_retry(first.attempt))
        await house.age(timedelta(seconds=30))

        assert await house.store.claim(a_claim(scope=UserScope(stranger))) == ()
        assert [claim.id for claim in await house.store.claim(a_claim(scope=UserScope(user)))] == [item]

    async def test_many_items_of_others_hide_nothing(self, house: House) -> None:
        user, foreign = await house.a_user(), await house.a_config()
        for _ in range(30):
            await a_crawl(house, config=foreign)
        own = await a_crawl(house, config=await house.a_config(of=user))

        assert (await claimed(house.store, a_claim(scope=UserScope(user)))).id == own


class HoldingContract:
    """A worker finds what it holds, also when the reply to its claim was lost (R15)."""

    async def test_a_holder_finds_the_attempts_that_it_holds(self, house: House) -> None:
        mine, also_mine = await Arranged(house).running(by=ADA), await Arranged(house).running(by=ADA)
        await Arranged(house).running(by=BOB)

        held = await house.store.held_by(ADA)

        assert set(held) == {Ticket(mine.id, Attempt(1)), Ticket(also_mine.id, Attempt(1))}

    async def test_what_ended_is_no_longer_held(self, house: House) -> None:
        finished, released = await Arranged(house).running(), await Arranged(house).running()
        await house.store.finish(finished.id, a_success(finished.attempt))
        await house.store.finish(released.id, a_release(released.attempt))

        assert await house.store.held_by(ADA) == ()

    async def test_a_claim_whose_reply_was_lost_is_handed_back_without_a_stall(self, house: House) -> None:
        await Arranged(house).queued()
        await house.store.claim(a_claim(by=ADA))

        (ticket,) = await house.store.held_by(ADA)
        answer = await house.store.finish(ticket.id, a_release(ticket.attempt))

        item = await stored(house.store, ticket.id)
        assert answer == Recorded()
        assert (item.status, item.stalls) == (Status.QUEUED, 0)


async def a_crawl(house: House, *, config: StorageConfigId) -> WorkItemId:
    """A waiting crawl of this config."""
    return await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=config))
