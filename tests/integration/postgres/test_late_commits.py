"""What commits late is told late, but it is told; and nobody waits for whoever never ends (S-30)."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from domain.feed import Changes, CursorLost, Lost
from tests.support.builders import CRAWL, a_new_item, enqueued
from tests.support.following import Follower, a_follower
from tests.support.house import House
from tests.support.late_writers import late_writers
from tests.support.reading import everything, page_of

A_DAY = timedelta(days=1)
MANY = 40
"""More open transactions than a cursor has room for."""


@pytest.fixture
async def follower(house: House) -> Follower:
    return await a_follower(house.feed, house.store)


async def test_two_that_commit_in_reverse_order_are_both_told(
    house: House, follower: Follower, postgres_url: str
) -> None:
    with late_writers(postgres_url, 2) as (first, second):
        early, late = first.enqueue(), second.enqueue()
        second.commit()
        await follower.catch_up()
        assert follower.told == [late]

        first.commit()
        await follower.catch_up()

    assert follower.told == [late, early]
    assert follower.view == await everything(house.store)


async def test_a_transaction_that_began_before_the_first_look_is_told_after_many(
    house: House, follower: Follower, postgres_url: str
) -> None:
    with late_writers(postgres_url, 1) as (writer,):
        late = writer.enqueue()
        others = []
        for _ in range(5):
            others.append(await enqueued(house.store))
            await follower.catch_up()
        assert follower.told == others
        writer.commit()
        await follower.catch_up()

    assert follower.told == [*others, late]


async def test_a_writer_left_idle_in_its_transaction_makes_nobody_wait(
    house: House, follower: Follower, postgres_url: str
) -> None:
    with late_writers(postgres_url, 1) as (idle,):
        idle.enqueue()
        for _ in range(3):
            new = await enqueued(house.store)
            await follower.catch_up()
            assert follower.told.pop() == new
            await follower.catch_up()
            assert follower.told == []
        idle.rollback()
    await follower.catch_up()

    assert follower.told == []


async def test_a_late_change_and_a_late_removal_are_told(
    house: House, follower: Follower, postgres_url: str
) -> None:
    changed, gone = await enqueued(house.store), await enqueued(house.store)
    await follower.catch_up()
    with late_writers(postgres_url, 2) as (one, other):
        one.touch(changed)
        other.delete(gone)
        await enqueued(house.store)
        await follower.catch_up()
        assert follower.view.keys() == (await everything(house.store)).keys()
        other.commit()
        one.commit()
        await follower.catch_up()

    assert follower.view == await everything(house.store)
    assert gone not in follower.view


async def test_everything_of_a_deleted_account_is_told_as_gone(
    house: House, follower: Follower, postgres_url: str
) -> None:
    user = await house.a_user()
    gone = [
        await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=await house.a_config(of=user)))
        for _ in range(2)
    ]
    await follower.catch_up()
    follower.told.clear()
    with late_writers(postgres_url, 1) as (writer,):
        writer.delete_user(user)
        stays = await enqueued(house.store)
        await follower.catch_up()
        assert follower.told == [stays]
        writer.commit()
        await follower.catch_up()

    assert sorted(follower.told[1:]) == gone
    assert follower.view == await everything(house.store)


async def test_what_a_savepoint_wrote_is_told_when_its_transaction_commits(
    house: House, follower: Follower, postgres_url: str
) -> None:
    with late_writers(postgres_url, 1) as (writer,):
        outer, inner = writer.enqueue(), writer.savepoint_enqueue()
        await enqueued(house.store)
        await follower.catch_up()
        writer.commit()
        follower.told.clear()
        await follower.catch_up()

    assert follower.told == sorted([outer, inner])


async def test_commits_between_the_parts_of_a_look_are_told_by_the_next(
    house: House, follower: Follower, postgres_url: str
) -> None:
    with late_writers(postgres_url, 3) as (one, two, three):
        seen, late = [await enqueued(house.store)], []
        for writer in (one, two, three):
            late.append(writer.enqueue())
            seen.append(await enqueued(house.store))
        part = await follower.look(limit=1)
        assert part is not None
        for writer in (three, one, two):
            assert part.rest is not None
            writer.commit()
            part = await follower.read_on(part.rest, limit=1)
        assert follower.told == seen
        follower.cursor = part.cursor
        await follower.catch_up(limit=2)

    assert follower.told == [*seen, *late]


async def test_more_open_transactions_than_a_cursor_has_room_for_lose_nothing(
    house: House, follower: Follower, postgres_url: str
) -> None:
    with late_writers(postgres_url, MANY) as writers:
        late = []
        for writer in writers:
            late.append(writer.enqueue())
            # Numbers of transactions that are far apart need more room.
            await enqueued(house.store)
        await follower.catch_up()
        assert len(follower.cursor) <= 120
        assert len((await page_of(house.store, limit=1)).cursor) <= 120
        for writer in reversed(writers):
            writer.commit()
            await follower.catch_up(limit=7)

    assert set(late) <= set(follower.told)
    assert follower.view == await everything(house.store)


async def test_a_list_that_could_not_see_a_change_has_a_cursor_that_tells_of_it(
    house: House, postgres_url: str
) -> None:
    with late_writers(postgres_url, 1) as (writer,):
        late = writer.enqueue()
        listed = await enqueued(house.store)
        page = await page_of(house.store, limit=10)
        writer.commit()
    answer = await house.feed.since(page.cursor, limit=10)

    assert [item.id for item in page.items] == [listed]
    assert isinstance(answer, Changes)
    assert [item.id for item in answer.items] == [late]


async def test_an_open_transaction_is_no_reason_for_an_expired_cursor(
    house: House, follower: Follower, postgres_url: str
) -> None:
    with late_writers(postgres_url, 1) as (idle,):
        late = idle.enqueue()
        await follower.catch_up()
        before = follower.cursor
        gone = await enqueued(house.store)
        await house.store.cancel(gone)
        await house.store.purge(older_than=-A_DAY, limit=10)
        await house.store.purge_tombstones(older_than=-A_DAY, limit=10)
        await follower.catch_up()
        assert follower.resets == 1

        await enqueued(house.store)
        await follower.catch_up()
        assert follower.resets == 1
        idle.commit()
        await follower.catch_up()

    expired = await house.feed.since(before, limit=10)
    assert isinstance(expired, CursorLost)
    assert expired.why is Lost.EXPIRED
    assert late in follower.view
    assert follower.view == await everything(house.store)


async def test_a_prepared_transaction_makes_nobody_wait_and_is_told_in_the_end(
    house: House, follower: Follower, postgres_url: str
) -> None:
    with late_writers(postgres_url, 1) as (writer,):
        writer.begin_in_two_phases()
        late = writer.enqueue()
        writer.prepare()
        for _ in range(3):
            new = await enqueued(house.store)
            await follower.catch_up()
            assert follower.told.pop() == new
        writer.settle()
        await follower.catch_up()

    assert follower.told == [late]
    assert follower.view == await everything(house.store)


async def test_a_poll_takes_no_lock_and_leaves_no_transaction_open(house: House, postgres_url: str) -> None:
    database = Database(postgres_url, size=1)
    opened = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
    )
    follower = await a_follower(house.feed, house.store)
    await follower.catch_up()

    assert await database.read(lambda connection: connection.execute(opened).scalar_one()) == 0
    await database.close()
