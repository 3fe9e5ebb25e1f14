"""What every store promises about new items."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

import pytest

from application.ports.errors import StoreRefused
from application.ports.storage_configs import Removed
from domain.ids import JsonText, StorageConfigId, UserId
from domain.outcomes import Coalesced, Created, UnknownItem, UnknownScope
from domain.work_item import Status, WorkItem
from tests.support.builders import (
    CRAWL,
    a_claim,
    a_new_item,
    a_success,
    an_id,
    claimed,
    enqueued,
)
from tests.support.house import House
from tests.support.moves import Arranged, stalled
from tests.support.reading import everything, nearly, now_in, stored

SAME, OTHER, NONE = "same key", "other key", "no key"

STATES: Final[dict[str, Callable[[Arranged], Awaitable[WorkItem]]]] = {
    "queued": Arranged.queued,
    "waits for its retry": Arranged.retrying,
    "released": Arranged.released,
    "stalled": Arranged.stalled,
    "running": Arranged.running,
    "asked to stop": Arranged.asked_to_stop,
    "succeeded": Arranged.succeeded,
    "failed": Arranged.failed,
    "stopped": Arranged.stopped,
    "cancelled": Arranged.cancelled,
}

# (state of the earlier item, key of the later one): whether the later request is answered with the earlier.
COALESCES: Final[dict[tuple[str, str], bool]] = {
    ("queued", SAME): True,
    ("queued", OTHER): False,
    ("queued", NONE): False,
    ("waits for its retry", SAME): True,
    ("waits for its retry", OTHER): False,
    ("waits for its retry", NONE): False,
    ("released", SAME): True,
    ("released", OTHER): False,
    ("released", NONE): False,
    ("stalled", SAME): True,
    ("stalled", OTHER): False,
    ("stalled", NONE): False,
    ("running", SAME): False,
    ("running", OTHER): False,
    ("running", NONE): False,
    ("asked to stop", SAME): False,
    ("asked to stop", OTHER): False,
    ("asked to stop", NONE): False,
    ("succeeded", SAME): False,
    ("succeeded", OTHER): False,
    ("succeeded", NONE): False,
    ("failed", SAME): False,
    ("failed", OTHER): False,
    ("failed", NONE): False,
    ("stopped", SAME): False,
    ("stopped", OTHER): False,
    ("stopped", NONE): False,
    ("cancelled", SAME): False,
    ("cancelled", OTHER): False,
    ("cancelled", NONE): False,
}


class EnqueueContract:
    """A new item waits, just as it was asked for."""

    async def test_a_new_item_is_queued_as_it_was_asked_for(self, house: House) -> None:
        user = await house.a_user()
        config = await house.a_config(of=user)
        new = a_new_item(
            kind=CRAWL,
            payload='{"verify":true}',
            storage_config_id=config,
            dedup_key="crawl:1",
            requested_by=user,
        )

        answer = await house.store.insert(new)

        item = await stored(house.store, new.id)
        assert answer == Created(new.id)
        assert item == new.queued_at(item.requested_at)
        assert nearly(await now_in(house.store) - item.requested_at, timedelta())

    async def test_a_plain_item_needs_neither_scope_nor_key_nor_requester(self, house: House) -> None:
        new = a_new_item()

        await house.store.insert(new)

        item = await stored(house.store, new.id)
        assert item == new.queued_at(item.requested_at)

    async def test_items_of_unknown_kinds_are_kept_as_they_are(self, house: House) -> None:
        new = a_new_item(kind="from-the-future", payload='[1,"two",null]')

        await house.store.insert(new)

        item = await stored(house.store, new.id)
        assert (item.kind, item.payload) == ("from-the-future", JsonText('[1,"two",null]'))

    async def test_a_payload_of_the_largest_size_is_kept(self, house: House) -> None:
        payload = '{"text":"' + "x" * (512 * 1024 - 11) + '"}'
        assert len(payload) == 512 * 1024

        item = await enqueued(house.store, a_new_item(payload=payload))

        assert (await stored(house.store, item)).payload == payload

    async def test_a_dedup_key_of_the_largest_size_is_kept(self, house: House) -> None:
        key = "é" * 100
        item = await enqueued(house.store, a_new_item(dedup_key=key))

        assert await house.store.insert(a_new_item(dedup_key=key)) == Coalesced(item)

    async def test_an_unknown_scope_takes_no_work(self, house: House) -> None:
        gone = await house.a_config()
        await house.storage_configs.remove(gone)
        for config in (gone, StorageConfigId(an_id())):
            answer = await house.store.insert(a_new_item(kind=CRAWL, storage_config_id=config))

            assert answer == UnknownScope()
        assert await everything(house.store) == {}

    async def test_an_unknown_requester_is_refused(self, house: House) -> None:
        with pytest.raises(StoreRefused):
            await house.store.insert(a_new_item(requested_by=UserId(an_id())))

        assert await everything(house.store) == {}

    async def test_a_config_leaves_with_its_items(self, house: House) -> None:
        leaving, staying = await house.a_config(), await house.a_config()
        gone = [
            await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=leaving)) for _ in range(3)
        ]
        kept = await enqueued(house.store, a_new_item(kind=CRAWL, storage_config_id=staying))
        finished = await claimed(house.store)
        await house.store.finish(finished.id, a_success(finished.attempt))
        await claimed(house.store)

        assert isinstance(await house.storage_configs.remove(leaving), Removed)

        assert set(await everything(house.store)) == {kept}
        assert [await house.store.get(item) for item in gone] == [UnknownItem()] * 3
        assert await house.store.attempts(finished.id) == ()
        assert [claim.id for claim in await house.store.claim(a_claim(limit=5))] == [kept]


class RepeatedEnqueueContract:
    """A request told again after a lost reply stays one item, whatever has become of it (R15)."""

    @pytest.mark.parametrize("state", STATES)
    @pytest.mark.parametrize("dedup_key", [None, "key"])
    async def test_a_repeated_request_changes_nothing(
        self, house: House, state: str, dedup_key: str | None
    ) -> None:
        item = await STATES[state](Arranged(house, dedup_key=dedup_key))

        answer = await house.store.insert(a_new_item(id=item.id, dedup_key=dedup_key))

        assert answer == Created(item.id)
        assert await everything(house.store) == {item.id: item}


class CoalescingContract:
    """A request whose key waits already is answered with the item that waits (S-7)."""

    @pytest.mark.parametrize(
        ("state", "key"), COALESCES, ids=[f"{state} and {key}" for state, key in COALESCES]
    )
    async def test_only_a_waiting_item_with_the_same_key_is_the_answer(
        self, house: House, state: str, key: str
    ) -> None:
        earlier = await STATES[state](Arranged(house, dedup_key="same"))
        later = a_new_item(dedup_key={SAME: "same", OTHER: "other", NONE: None}[key])

        answer = await house.store.insert(later)

        if COALESCES[state, key]:
            assert answer == Coalesced(earlier.id)
            assert await everything(house.store) == {earlier.id: earlier}
        else:
            assert answer == Created(later.id)
            assert (await stored(house.store, later.id)).status is Status.QUEUED
            assert await stored(house.store, earlier.id) == earlier

    async def test_items_without_a_key_never_coalesce(self, house: House) -> None:
        first, second = await enqueued(house.store), await enqueued(house.store)

        assert set(await everything(house.store)) == {first, second}

    async def test_keys_differ_by_capitals_and_by_blanks(self, house: House) -> None:
        items = {
            await enqueued(house.store, a_new_item(dedup_key=key)) for key in ("key", "Key", "key ", " key")
        }

        assert set(await everything(house.store)) == items

    async def test_the_later_request_changes_nothing_of_the_waiting_one(self, house: House) -> None:
        config = await house.a_config()
        waiting = await stored(
            house.store,
            await enqueued(house.store, a_new_item(kind=CRAWL, dedup_key="key", payload='{"verify":false}')),
        )

        answer = await house.store.insert(
            a_new_item(
                kind="other-kind", dedup_key="key", payload='{"verify":true}', storage_config_id=config
            )
        )

        assert answer == Coalesced(waiting.id)
        assert await everything(house.store) == {waiting.id: waiting}

    async def test_a_key_is_free_again_while_its_item_runs_and_after_it_was_superseded(
        self, house: House
    ) -> None:
        running = await Arranged(house, dedup_key="key").running()
        twin = await enqueued(house.store, a_new_item(dedup_key="key"))
        await stalled(house, running)

        assert await house.store.insert(a_new_item(dedup_key="key")) == Coalesced(twin)
        await house.store.cancel(twin)
        new = a_new_item(dedup_key="key")
        assert await house.store.insert(new) == Created(new.id)
