"""What every store promises about requests that may be sent again."""

import asyncio
from datetime import timedelta

import pytest

from application.ports.errors import StoreRefused
from application.ports.request_keys import KeyAnswer, KeyIsNew, KeyMisused, KeyWasUsed, RequestKey
from domain.ids import UserId, WorkItemId
from tests.support.builders import an_id
from tests.support.sweeping import Sweeping

A_DAY = timedelta(hours=24)
A_MINUTE = timedelta(minutes=1)


class ChangeOfMindError(Exception):
    """Leaves a transaction."""


def a_key(user: UserId, text: str = "key", digest: bytes = b"\x00\xff") -> RequestKey:
    """What somebody calls a request."""
    return RequestKey(user, text, digest)


async def taken(place: Sweeping, key: RequestKey, *items: WorkItemId) -> KeyAnswer:
    """Take the key in a transaction of its own; if it is new, these items come of it."""
    async with place.house.transactions.begin() as transaction:
        answer = await place.keys.take(key, within=transaction)
        if answer == KeyIsNew():
            await place.keys.note(key, items, within=transaction)
    return answer


class RequestKeysContract:
    """A key stands for one request of one person, for a day."""

    async def test_the_same_request_is_answered_by_what_came_of_it(self, place: Sweeping) -> None:
        key = a_key(await place.house.a_user())
        first, second = an_id(), an_id()

        assert await taken(place, key, second, first) == KeyIsNew()
        assert await taken(place, key) == KeyWasUsed((second, first))
        assert await taken(place, key) == KeyWasUsed((second, first))

    async def test_a_request_of_which_nothing_came_was_made_all_the_same(self, place: Sweeping) -> None:
        key = a_key(await place.house.a_user())

        await taken(place, key)

        assert await taken(place, key) == KeyWasUsed(())

    async def test_another_request_with_the_same_key_is_told(self, place: Sweeping) -> None:
        user = await place.house.a_user()
        item = an_id()
        await taken(place, a_key(user), item)

        assert await taken(place, a_key(user, digest=b"\x00\xfe"), an_id()) == KeyMisused()
        assert await taken(place, a_key(user)) == KeyWasUsed((item,))

    async def test_each_key_is_its_own(self, place: Sweeping) -> None:
        user = await place.house.a_user()
        await taken(place, a_key(user, "key"))

        for text in ("Key", "key ", "key2", ""):
            assert await taken(place, a_key(user, text)) == KeyIsNew()

    async def test_the_same_key_of_somebody_else_is_another(self, place: Sweeping) -> None:
        ada, bob = await place.house.a_user(), await place.house.a_user()
        first, second = an_id(), an_id()

        assert await taken(place, a_key(ada), first) == KeyIsNew()
        assert await taken(place, a_key(bob), second) == KeyIsNew()

        assert await taken(place, a_key(ada)) == KeyWasUsed((first,))
        assert await taken(place, a_key(bob)) == KeyWasUsed((second,))

    async def test_a_key_is_remembered_for_a_day(self, place: Sweeping) -> None:
        key = a_key(await place.house.a_user())
        await taken(place, key, item := an_id())

        await place.house.age(A_DAY - A_MINUTE)

        assert await taken(place, key) == KeyWasUsed((item,))

    async def test_a_key_is_forgotten_after_a_day(self, place: Sweeping) -> None:
        user = await place.house.a_user()
        await taken(place, a_key(user), an_id())
        await taken(place, a_key(user, "other"), an_id())

        await place.house.age(A_DAY + A_MINUTE)

        assert await taken(place, a_key(user, digest=b"new"), item := an_id()) == KeyIsNew()
        assert await taken(place, a_key(user, digest=b"new")) == KeyWasUsed((item,))
        assert await taken(place, a_key(user, "other")) == KeyIsNew()

    async def test_asking_again_does_not_make_it_last_longer(self, place: Sweeping) -> None:
        key = a_key(await place.house.a_user())
        await taken(place, key, an_id())
        await place.house.age(A_DAY / 2)
        await taken(place, key)

        await place.house.age(A_DAY / 2 + A_MINUTE)

        assert await taken(place, key) == KeyIsNew()

    async def test_a_rollback_leaves_the_key_free(self, place: Sweeping) -> None:
        key = a_key(await place.house.a_user())

        with pytest.raises(ChangeOfMindError):  # noqa: PT012 -- leaving the block is the point
            async with place.house.transactions.begin() as transaction:
                assert await place.keys.take(key, within=transaction) == KeyIsNew()
                await place.keys.note(key, [an_id()], within=transaction)
                raise ChangeOfMindError

        assert await taken(place, key) == KeyIsNew()

    async def test_nobody_who_is_unknown_has_keys(self, place: Sweeping) -> None:
        with pytest.raises(StoreRefused):
            await taken(place, a_key(UserId(an_id())))

    async def test_of_many_at_once_one_makes_the_request(self, place: Sweeping) -> None:
        key = a_key(await place.house.a_user())
        await taken(place, key, an_id())
        await place.house.age(A_DAY + A_MINUTE)
        item = an_id()

        answers = await asyncio.gather(*(taken(place, key, item) for _ in range(4)))

        assert sorted(answers, key=repr) == [KeyIsNew(), *[KeyWasUsed((item,))] * 3]
