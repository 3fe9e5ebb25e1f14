"""What every store promises of its change feed: each change is told, none is ever passed over (S-30)."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

import pytest

from domain.feed import Changes
from domain.outcomes import Created
from domain.page import EVERYTHING
from tests.contracts.feed_cursors import CursorContract
from tests.support.builders import (
    CRAWL,
    a_heartbeat,
    a_new_item,
    a_release,
    a_retry,
    a_success,
    claimed,
    enqueued,
)
from tests.support.following import Follower, a_follower
from tests.support.house import House
from tests.support.moves import Arranged, stalled
from tests.support.reading import everything, page_of, stored

Verb = Callable[[House], Awaitable[object]]


async def _beaten(house: House) -> None:
    item = await Arranged(house).running()
    await house.store.heartbeat(item.id, a_heartbeat(item.attempt))


async def _recovered(house: House) -> None:
    await stalled(house, await Arranged(house).running())


VERBS: Final[dict[str, Verb]] = {
    "enqueue": lambda house: Arranged(house).queued(),
    "claim": lambda house: Arranged(house).running(),
    "heartbeat": _beaten,
    "cancel request": lambda house: Arranged(house).asked_to_stop(),
    "success": lambda house: Arranged(house).succeeded(),
    "failure": lambda house: Arranged(house).failed(),
    "stop": lambda house: Arranged(house).stopped(),
    "retry": lambda house: Arranged(house).retrying(),
    "release": lambda house: Arranged(house).released(),
    "recovery": _recovered,
}


class ChangeFeedContract:
    """An adapter's test subclasses this and supplies `house`."""

    async def test_who_knows_everything_is_told_nothing(self, house: House) -> None:
        await enqueued(house.store)
        here = await house.feed.here()

        answer = await house.feed.since(here, limit=10)

        assert answer == Changes((), (), answer.cursor) if isinstance(answer, Changes) else False

    async def test_an_empty_queue_has_a_cursor(self, house: House) -> None:
        follower = await a_follower(house.feed, house.store)
        id_ = await enqueued(house.store)

        await follower.catch_up()

        assert follower.view == {id_: await stored(house.store, id_)}

    @pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
    async def test_each_kind_of_change_is_told(self, house: House, verb: Verb) -> None:
        await Arranged(house).succeeded()
        follower = await a_follower(house.feed, house.store)

        await verb(house)
        await follower.catch_up()

        assert follower.view == await everything(house.store)
        assert len(follower.view) == 2

    async def test_each_step_of_a_life_is_told_at_the_look_after_it(self, house: House) -> None:
        follower = await a_follower(house.feed, house.store)

        async def told() -> list[int]:
            follower.told.clear()
            await follower.catch_up()
            return [follower.view[id_].revision for id_ in follower.told]

        id_ = await enqueued(house.store)
        assert await told() == [1]
        run = await claimed(house.store)
        assert await told() == [2]
        await house.store.finish(id_, a_retry(run.attempt, wait=timedelta()))
        assert await told() == [3]
        again = await claimed(house.store)
        await house.store.finish(id_, a_release(again.attempt))
        assert await told() == [5]
        last = await claimed(house.store)
        await house.store.finish(id_, a_success(last.attempt))
        assert await told() == [7]
        assert await told() == []

    async def test_changes_are_told_in_their_order(self, house: House) -> None:
        first, second, third = [await enqueued(house.store) for _ in range(3)]
        follower = await a_follower(house.feed, house.store)

        await house.store.cancel(third)
        await house.store.cancel(first)
        new = await enqueued(house.store)
        await house.store.cancel(second)
        await follower.catch_up()

        assert follower.told == [third, first, new, second]

    async def test_what_changed_several_times_is_told_once_as_it_stands(self, house: House) -> None:
        follower = await a_follower(house.feed, house.store)
        item = await Arranged(house).succeeded()

        await follower.catch_up()

        assert (follower.told, follower.view) == ([item.id], {item.id: item})

    async def test_what_was_rolled_back_is_never_told(self, house: House) -> None:
        follower = await a_follower(house.feed, house.store)
        with pytest.raises(ZeroDivisionError):  # noqa: PT012 -- leaving the block is the point
            async with house.transactions.begin() as transaction:
                await house.store.insert(a_new_item(), within=transaction)
                raise ZeroDivisionError
        after = await enqueued(house.store)

        await follower.catch_up()

        assert follower.told == [after]

    async def test_what_was_committed_together_is_told_together(self, house: House) -> None:
        follower = await a_follower(house.feed, house.store)
        news = [a_new_item() for _ in range(3)]
        async with house.transactions.begin() as transaction:
            for new in news:
                await house.store.insert(new, within=transaction)

        await follower.catch_up()

        assert sorted(follower.told) == sorted(new.id for new in news)

    async def test_a_cursor_may_be_used_again_and_again(self, house: House) -> None:
        here = await house.feed.here()
        await enqueued(house.store)
        await enqueued(house.store)

        first = await house.feed.since(here, limit=10)
        second = await house.feed.since(here, limit=10)

        assert isinstance(first, Changes)
        assert isinstance(second, Changes)
        assert (second.items, second.removed) == (first.items, first.removed)

    async def test_the_list_and_the_feed_leave_no_gap_between_them(self, house: House) -> None:
        old = await enqueued(house.store)
        page = await page_of(house.store, EVERYTHING, limit=10)
        follower = Follower(house.feed, house.store, page.cursor, {item.id: item for item in page.items})
        new = await enqueued(house.store)
        await house.store.cancel(old)

        await follower.catch_up()

        assert follower.told == [new, old]
        assert follower.view == await everything(house.store)


class RemovalFeedContract:
    """What goes is told, however it goes."""

    async def test_a_purged_item_is_told_as_gone(self, house: House) -> None:
        gone = await Arranged(house).succeeded()
        await house.age(timedelta(seconds=1))
        follower = await a_follower(house.feed, house.store)

        assert await house.store.purge(older_than=timedelta(), limit=10) == 1
        answer = await house.feed.since(follower.cursor, limit=10)

        assert isinstance(answer, Changes)
        assert (answer.items, answer.removed) == ((), (gone.id,))

    async def test_everything_of_a_removed_config_is_told_as_gone(self, house: House) -> None:
        config = await house.a_config()
        scoped = [a_new_item(kind=CRAWL, storage_config_id=config) for _ in range(5)]
        for new in scoped:
            await enqueued(house.store, new)
        stays = await enqueued(house.store)
        follower = await a_follower(house.feed, house.store)

        await house.storage_configs.remove(config)
        await follower.catch_up()

        assert sorted(follower.told) == sorted(new.id for new in scoped)
        assert set(follower.view) == {stays}

    async def test_what_came_and_went_between_two_looks_is_told_as_gone_at_most(self, house: House) -> None:
        follower = await a_follower(house.feed, house.store)
        config = await house.a_config()
        await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=config))
        await house.storage_configs.remove(config)

        await follower.catch_up()

        assert follower.view == {}

    async def test_what_comes_back_under_its_old_id_is_not_gone(self, house: House) -> None:
        config = await house.a_config()
        id_ = await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=config))
        follower = await a_follower(house.feed, house.store)
        await house.storage_configs.remove(config)
        assert await house.store.insert(a_new_item(id=id_)) == Created(id_)

        answer = await house.feed.since(follower.cursor, limit=10)

        assert isinstance(answer, Changes)
        assert (answer.items, answer.removed) == ((await stored(house.store, id_),), ())


class RestContract:
    """A look that has more than its limit is read in parts, and nothing slips between them."""

    @pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 8])
    async def test_the_parts_of_a_look_make_the_whole(self, house: House, limit: int) -> None:
        config = await house.a_config()
        gone = [await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=config)) for _ in "ab"]
        follower = await a_follower(house.feed, house.store)
        before = [await enqueued(house.store) for _ in range(3)]
        await house.storage_configs.remove(config)
        after = [await enqueued(house.store) for _ in range(2)]

        await follower.catch_up(limit=limit)

        assert sorted(follower.told) == sorted([*before, *gone, *after])
        assert follower.view == await everything(house.store)

    async def test_a_part_is_no_larger_than_asked_for(self, house: House) -> None:
        here = await house.feed.here()
        for _ in range(5):
            await enqueued(house.store)

        first = await house.feed.since(here, limit=2)
        assert isinstance(first, Changes)
        assert first.rest is not None
        second = await house.feed.rest(first.rest, limit=2)
        assert second.rest is not None
        third = await house.feed.rest(second.rest, limit=2)

        assert [len(part.items) for part in (first, second, third)] == [2, 2, 1]
        assert third.rest is None
        assert first.cursor == second.cursor == third.cursor

    async def test_what_changes_between_two_parts_is_left_to_the_next_look(self, house: House) -> None:
        config = await house.a_config()
        follower = await a_follower(house.feed, house.store)
        one, two = [await enqueued(house.store) for _ in "ab"]
        three = await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=config))

        part = await follower.look(limit=1)
        assert part is not None
        assert part.rest is not None
        await house.store.cancel(two)
        await house.storage_configs.remove(config)
        new = await enqueued(house.store)
        rest = await follower.read_on(part.rest, limit=10)

        assert follower.told == [one]
        assert rest.rest is None
        follower.cursor = rest.cursor
        await follower.catch_up()
        assert sorted(follower.told[1:]) == sorted([two, three, new])
        assert follower.view == await everything(house.store)

    async def test_who_stops_in_the_middle_begins_again_from_their_cursor(self, house: House) -> None:
        follower = await a_follower(house.feed, house.store)
        news = [await enqueued(house.store) for _ in range(5)]

        await follower.look(limit=2)
        await follower.catch_up(limit=2)

        assert follower.told == [*news[:2], *news]


class WholeFeedContract(ChangeFeedContract, RemovalFeedContract, RestContract, CursorContract):
    """All of it."""
