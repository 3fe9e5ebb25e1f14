"""What two requests with one key do to each other, with every order forced."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import timedelta
from typing import Final

import pytest

from adapters.sql.engine import Database
from adapters.sql.request_keys import SqlRequestKeys
from application.ports.request_keys import KeyIsNew, KeyMisused, KeyWasUsed
from tests.contracts.request_keys import ChangeOfMindError, a_key, taken
from tests.support.builders import an_id
from tests.support.house import House
from tests.support.interleaving import waits
from tests.support.sweeping import Sweeping, sweeping_over

OVER_A_DAY: Final = timedelta(hours=24, minutes=1)


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    """The other one's."""
    database = Database(postgres_url)
    yield database
    await database.close()


@pytest.fixture
def place(house: House) -> Sweeping:
    return sweeping_over(house)


async def test_the_second_waits_and_is_answered_by_what_came_of_the_first(
    place: Sweeping, database: Database
) -> None:
    key, item = a_key(await place.house.a_user()), an_id()
    keys = SqlRequestKeys(database)

    async with database.begin() as first:
        assert await keys.take(key, within=first) == KeyIsNew()
        second = asyncio.create_task(taken(place, key, an_id()))
        await waits(second, database)
        await keys.note(key, [item], within=first)

    assert await second == KeyWasUsed((item,))


async def test_the_second_waits_to_be_told_that_it_asks_for_something_else(
    place: Sweeping, database: Database
) -> None:
    user = await place.house.a_user()

    async with database.begin() as first:
        await SqlRequestKeys(database).take(a_key(user), within=first)
        second = asyncio.create_task(taken(place, a_key(user, digest=b"another"), an_id()))
        await waits(second, database)

    assert await second == KeyMisused()


async def test_the_second_makes_the_request_when_the_first_is_rolled_back(
    place: Sweeping, database: Database
) -> None:
    key = a_key(await place.house.a_user())

    with suppress(ChangeOfMindError):
        async with database.begin() as first:
            await SqlRequestKeys(database).take(key, within=first)
            second = asyncio.create_task(taken(place, key, an_id()))
            await waits(second, database)
            raise ChangeOfMindError

    assert await second == KeyIsNew()


async def test_whoever_forgets_old_keys_holds_up_nobody_else(place: Sweeping, database: Database) -> None:
    user = await place.house.a_user()
    for number in range(5):
        await taken(place, a_key(user, f"old {number}"))
    await place.house.age(OVER_A_DAY)

    async with database.begin() as first:
        await SqlRequestKeys(database).take(a_key(user, "one"), within=first)
        assert await taken(place, a_key(user, "another")) == KeyIsNew()


async def test_an_old_key_that_is_taken_anew_is_new_only_once(place: Sweeping, database: Database) -> None:
    key, item = a_key(await place.house.a_user()), an_id()
    keys = SqlRequestKeys(database)
    await taken(place, key, an_id())
    await place.house.age(OVER_A_DAY)

    async with database.begin() as first:
        assert await keys.take(key, within=first) == KeyIsNew()
        second = asyncio.create_task(taken(place, key, an_id()))
        await waits(second, database)
        await keys.note(key, [item], within=first)

    assert await second == KeyWasUsed((item,))


async def test_an_old_key_is_forgotten_even_if_whoever_forgot_it_first_was_rolled_back(
    place: Sweeping, database: Database
) -> None:
    key, item = a_key(await place.house.a_user()), an_id()
    await taken(place, key, an_id())
    await place.house.age(OVER_A_DAY)

    with suppress(ChangeOfMindError):
        async with database.begin() as first:
            await SqlRequestKeys(database).take(key, within=first)
            second = asyncio.create_task(taken(place, key, item))
            await waits(second, database)
            raise ChangeOfMindError

    assert await second == KeyIsNew()
    assert await taken(place, key) == KeyWasUsed((item,))
