"""A database that is a copy of another one: nobody's cursor of before is believed, and nothing is told for ever."""

from collections.abc import AsyncIterator
from typing import Final

import pytest
import sqlalchemy as sa

from adapters.sql.migrations import migrate
from domain.feed import Changes, CursorLost, FeedCursor, Lost
from domain.page import EVERYTHING, PlaceLost
from tests.support.builders import enqueued
from tests.support.following import a_follower
from tests.support.house import House
from tests.support.postgres import PostgresServer
from tests.support.reading import everything, page_of
from tests.support.sql import a_sql_house

# As rows are that come from a server that has counted further: triggers do not fire when a dump is restored.
FROM_AFAR: Final = (
    "SET session_replication_role = replica",
    "UPDATE work_items SET change_xid = (900000000000 + revision)::text::xid8",
    "INSERT INTO work_item_tombstones SELECT '900000000009', gen_random_uuid(), now()",
    "INSERT INTO work_item_tombstones SELECT '900000000009', gen_random_uuid(), now()",
)

# The role is one that every server has, so that none is left behind.
AS_ON_A_CLOUD: Final = (
    "REVOKE EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint() FROM public",
    "GRANT ALL ON ALL TABLES IN SCHEMA public TO pg_signal_backend",
)


@pytest.fixture
async def house(postgres_url: str) -> AsyncIterator[House]:
    migrate(postgres_url)
    async with a_sql_house(postgres_url) as house:
        yield house


def come_from_afar(url: str) -> None:
    with sa.create_engine(url, poolclass=sa.NullPool).begin() as connection:
        for statement in FROM_AFAR:
            connection.exec_driver_sql(statement)


async def why_lost(house: House, cursor: FeedCursor) -> Lost | None:
    answer = await house.feed.since(cursor, limit=10)
    return answer.why if isinstance(answer, CursorLost) else None


async def test_a_start_on_the_same_database_leaves_every_cursor_good(house: House, postgres_url: str) -> None:
    await enqueued(house.store)
    cursor = await house.feed.here()

    migrate(postgres_url)

    assert await why_lost(house, cursor) is None


async def test_after_a_restored_dump_old_cursors_are_of_another_epoch(
    house: House, postgres_url: str
) -> None:
    for _ in range(3):
        await enqueued(house.store)
    cursor = await house.feed.here()
    listed = (await page_of(house.store, limit=1)).next
    come_from_afar(postgres_url)

    migrate(postgres_url)

    assert await why_lost(house, cursor) is Lost.EPOCH
    assert await house.store.page(EVERYTHING, limit=1, after=listed) == PlaceLost()


async def test_after_a_restored_dump_each_change_is_told_once_and_listed_first(
    house: House, postgres_url: str
) -> None:
    for _ in range(3):
        await enqueued(house.store)
    come_from_afar(postgres_url)
    migrate(postgres_url)
    follower = await a_follower(house.feed, house.store)
    await follower.catch_up()
    assert follower.told == []

    new = await enqueued(house.store)
    await follower.catch_up()
    await follower.catch_up()

    assert follower.told == [new]
    assert follower.view == await everything(house.store)
    assert (await page_of(house.store, limit=1)).items[0].id == new


async def test_until_somebody_migrates_rows_from_afar_are_not_told_again_and_again(
    house: House, postgres_url: str
) -> None:
    await enqueued(house.store)
    come_from_afar(postgres_url)
    follower = await a_follower(house.feed, house.store)

    new = await enqueued(house.store)
    await follower.catch_up()
    await follower.catch_up()

    assert follower.told == [new]


async def test_a_role_that_may_not_read_of_the_server_can_start_all_the_same(
    house: House, postgres_url: str
) -> None:
    cursor = await house.feed.here()
    with sa.create_engine(postgres_url, poolclass=sa.NullPool).begin() as connection:
        for statement in AS_ON_A_CLOUD:
            connection.exec_driver_sql(statement)
    own = sa.make_url(postgres_url).update_query_dict({"options": "-c role=pg_signal_backend"})

    migrate(own.render_as_string(hide_password=False))
    again = await why_lost(house, cursor)
    cursor = await house.feed.here()
    migrate(own.render_as_string(hide_password=False))

    assert again is Lost.EPOCH
    assert await why_lost(house, cursor) is None


async def test_a_copy_of_the_database_has_an_epoch_of_its_own(
    postgres_server: PostgresServer, postgres_template: str
) -> None:
    with postgres_server.database(copy_of=postgres_template) as original:
        migrate(original)
        async with a_sql_house(original) as house:
            await enqueued(house.store)
            cursor = await house.feed.here()
            assert isinstance(await house.feed.since(cursor, limit=10), Changes)
        with postgres_server.database(copy_of=original) as copy:
            migrate(copy)
            async with a_sql_house(copy) as house:
                assert await why_lost(house, cursor) is Lost.EPOCH
