"""What every store promises about an enqueue that is part of a caller's transaction (S-6, S-7)."""

import asyncio

import pytest

from domain.ids import StorageConfigId
from domain.outcomes import Coalesced, Created, EnqueueAnswer, UnknownItem, UnknownScope
from domain.work_item import NewWorkItem, Status, WorkItem
from tests.support.builders import CRAWL, a_claim, a_new_item, an_id, enqueued
from tests.support.house import House
from tests.support.reading import everything, stored

A_GOOD_WHILE = 0.3
"""Seconds in which a claim that could start an item would long have done so."""


class ChangeOfMindError(Exception):
    """Leaves a transaction."""


class TransactionContract:
    """The thing and the request for its work are one commit, or nothing."""

    async def test_a_commit_brings_everything_at_once(self, house: House) -> None:
        user = await house.a_user()
        config = StorageConfigId(an_id())
        new = a_new_item(kind=CRAWL, storage_config_id=config)

        async with house.transactions.begin() as transaction:
            assert transaction.is_open
            await house.storage_configs.add(config, user=user, root_path="/photos/new", within=transaction)
            answer = await house.store.insert(new, within=transaction)

        assert answer == Created(new.id)
        assert (await stored(house.store, new.id)).status is Status.QUEUED
        assert await house.storage_configs.get(config) is not None

    async def test_a_rollback_leaves_nothing(self, house: House) -> None:
        user = await house.a_user()
        config = StorageConfigId(an_id())
        new = a_new_item(kind=CRAWL, storage_config_id=config, dedup_key="key")
        before = await enqueued(house.store)

        with pytest.raises(ChangeOfMindError):  # noqa: PT012 -- leaving the block is the point
            async with house.transactions.begin() as transaction:
                await house.storage_configs.add(config, user=user, root_path="/new", within=transaction)
                await house.store.insert(new, within=transaction)
                raise ChangeOfMindError

        assert not transaction.is_open
        assert set(await everything(house.store)) == {before}
        assert await house.store.get(new.id) == UnknownItem()
        assert await house.storage_configs.get(config) is None

    async def test_a_rollback_frees_the_key(self, house: House) -> None:
        new = a_new_item(dedup_key="key")
        with pytest.raises(ChangeOfMindError):  # noqa: PT012 -- leaving the block is the point
            async with house.transactions.begin() as transaction:
                await house.store.insert(a_new_item(dedup_key="key"), within=transaction)
                raise ChangeOfMindError

        assert await house.store.insert(new) == Created(new.id)

    async def test_a_transaction_sees_its_own_items(self, house: House) -> None:
        first, second = a_new_item(dedup_key="key"), a_new_item(dedup_key="key")

        async with house.transactions.begin() as transaction:
            answers = [
                await house.store.insert(first, within=transaction),
                await house.store.insert(second, within=transaction),
                await house.store.insert(first, within=transaction),
            ]

        assert answers == [Created(first.id), Coalesced(first.id), Created(first.id)]

    async def test_an_answer_does_not_spoil_the_transaction(self, house: House) -> None:
        waiting = await enqueued(house.store, a_new_item(dedup_key="key"))
        new = a_new_item()

        async with house.transactions.begin() as transaction:
            answers = [
                await house.store.insert(a_new_item(dedup_key="key"), within=transaction),
                await house.store.insert(
                    a_new_item(storage_config_id=StorageConfigId(an_id())), within=transaction
                ),
                await house.store.insert(new, within=transaction),
            ]

        assert answers == [Coalesced(waiting), UnknownScope(), Created(new.id)]
        assert set(await everything(house.store)) == {waiting, new.id}

    async def test_a_new_item_cannot_start_before_the_commit(self, house: House) -> None:
        new = a_new_item()

        answer, before_commit, after_commit = await enqueued_beside_a_claim(house, new)

        assert answer == Created(new.id)
        assert before_commit == ()
        assert [claim.id for claim in after_commit] == [new.id]

    async def test_the_waiting_item_cannot_start_before_the_commit(self, house: House) -> None:
        waiting = await enqueued(house.store, a_new_item(dedup_key="key"))

        answer, before_commit, after_commit = await enqueued_beside_a_claim(
            house, a_new_item(dedup_key="key")
        )

        assert answer == Coalesced(waiting)
        assert before_commit == ()
        assert [claim.id for claim in after_commit] == [waiting]


Claims = tuple[WorkItem, ...]


async def enqueued_beside_a_claim(house: House, new: NewWorkItem) -> tuple[EnqueueAnswer, Claims, Claims]:
    """The answer to an enqueue, and what a claim got before and after its transaction committed.

    A store may let the claim wait for the commit, or answer it at once with nothing.
    """
    async with house.transactions.begin() as transaction:
        answer = await house.store.insert(new, within=transaction)
        claim = asyncio.create_task(house.store.claim(a_claim()))
        await asyncio.wait({claim}, timeout=A_GOOD_WHILE)
        before_commit = claim.result() if claim.done() else ()
    after_commit = await claim or await house.store.claim(a_claim())
    return answer, before_commit, after_commit
