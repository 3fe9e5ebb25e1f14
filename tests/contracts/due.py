"""What every store promises about periodic work: one item per interval, however many schedulers race (S-10)."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

import pytest

from domain.ids import StorageConfigId
from domain.outcomes import Created, DueAnswer, NotDue, UnknownScope
from domain.work_item import WorkItem
from tests.support.builders import (
    CRAWL,
    a_claim,
    a_new_item,
    a_success,
    an_id,
    claimed,
)
from tests.support.house import House
from tests.support.moves import Arranged
from tests.support.reading import everything, stored

INTERVAL: Final = timedelta(hours=4)
NEARLY: Final = INTERVAL - timedelta(minutes=1)
SCHEDULERS: Final = 12
ROUNDS: Final = 4

UNFINISHED: Final[list[Callable[[Arranged], Awaitable[WorkItem]]]] = [
    Arranged.queued,
    Arranged.retrying,
    Arranged.released,
    Arranged.stalled,
    Arranged.running,
    Arranged.asked_to_stop,
]
FINISHED: Final[list[Callable[[Arranged], Awaitable[WorkItem]]]] = [
    Arranged.succeeded,
    Arranged.failed,
    Arranged.stopped,
    Arranged.cancelled,
]


class DueContract:
    """Due: nothing with the key waits or runs, and the last one finished at least an interval ago."""

    async def test_work_that_was_never_done_is_due(self, house: House) -> None:
        config = await house.a_config()
        new = a_new_item(kind=CRAWL, payload='{"a":1}', dedup_key="crawl:1", storage_config_id=config)

        answer = await house.store.insert_if_due(new, interval=INTERVAL)

        item = await stored(house.store, new.id)
        assert answer == Created(new.id)
        assert item == new.queued_at(item.requested_at)

    @pytest.mark.parametrize("stands", UNFINISHED, ids=lambda arrange: arrange.__name__)
    async def test_work_under_way_is_not_due_however_long_it_takes(
        self, house: House, stands: Callable[[Arranged], Awaitable[WorkItem]]
    ) -> None:
        item = await stands(Arranged(house, dedup_key="key"))
        await house.age(INTERVAL * 3)

        assert await ask(house) == NotDue()
        assert set(await everything(house.store)) == {item.id}

    @pytest.mark.parametrize("ends", FINISHED, ids=lambda arrange: arrange.__name__)
    async def test_finished_work_is_due_again_after_the_interval_whatever_its_outcome(
        self, house: House, ends: Callable[[Arranged], Awaitable[WorkItem]]
    ) -> None:
        await ends(Arranged(house, dedup_key="key"))
        await house.age(NEARLY)
        early = await ask(house)
        await house.age(INTERVAL - NEARLY)

        late = await ask(house)

        assert early == NotDue()
        assert isinstance(late, Created)

    async def test_the_interval_starts_at_the_end_not_at_the_start(self, house: House) -> None:
        running = await Arranged(house, dedup_key="key").running()
        await house.age(INTERVAL)
        await house.store.finish(running.id, a_success(running.attempt))

        assert await ask(house) == NotDue()

    async def test_the_last_one_counts_not_the_first(self, house: House) -> None:
        await Arranged(house, dedup_key="key").succeeded()
        await house.age(INTERVAL)
        await Arranged(house, dedup_key="key").failed()

        assert await ask(house) == NotDue()

    async def test_other_keys_do_not_count(self, house: House) -> None:
        await Arranged(house, dedup_key="other").succeeded()
        await Arranged(house, dedup_key="another").running()
        await Arranged(house).queued()

        assert isinstance(await ask(house), Created)

    async def test_long_downtime_is_caught_up_with_once(self, house: House) -> None:
        await Arranged(house, dedup_key="key").succeeded()
        await house.age(INTERVAL * 20)

        answers = [await ask(house) for _ in range(3)]
        again = await claimed(house.store)
        await house.store.finish(again.id, a_success(again.attempt))
        answers.append(await ask(house))

        assert [type(answer) for answer in answers] == [Created, NotDue, NotDue, NotDue]

    async def test_a_repeated_request_is_answered_with_its_item(self, house: House) -> None:
        new = a_new_item(dedup_key="key")
        await house.store.insert_if_due(new, interval=INTERVAL)
        first = await house.store.insert_if_due(new, interval=INTERVAL)
        running = await claimed(house.store)
        await house.store.finish(running.id, a_success(running.attempt))
        second = await house.store.insert_if_due(new, interval=INTERVAL)

        assert (first, second) == (Created(new.id), Created(new.id))
        assert set(await everything(house.store)) == {new.id}

    async def test_an_unknown_scope_is_never_due(self, house: House) -> None:
        new = a_new_item(kind=CRAWL, dedup_key="key", storage_config_id=StorageConfigId(an_id()))

        assert await house.store.insert_if_due(new, interval=INTERVAL) == UnknownScope()
        assert await everything(house.store) == {}


class DueRaceContract:
    """The check and the insert are one step."""

    async def test_many_schedulers_make_one_item(self, house: House) -> None:
        for number in range(ROUNDS):
            key = f"key-{number}"
            answers = await asyncio.gather(*(ask(house, key) for _ in range(SCHEDULERS)))

            assert sorted(type(answer).__name__ for answer in answers) == [
                "Created",
                *["NotDue"] * (SCHEDULERS - 1),
            ]
        assert len(await everything(house.store)) == 4

    async def test_so_they_do_while_the_item_is_claimed_and_finished_in_between(self, house: House) -> None:
        for number in range(ROUNDS):
            key = f"key-{number}"
            turns = range(SCHEDULERS) if number % 2 else reversed(range(SCHEDULERS))
            await asyncio.gather(
                *(after_turns(waits, ask(house, key)) for waits in turns),
                *(after_turns(waits, work_off(house)) for waits in range(3)),
            )

        keys = [str(item.dedup_key) for item in (await everything(house.store)).values()]
        assert sorted(keys) == ["key-0", "key-1", "key-2", "key-3"]

    async def test_an_enqueue_on_request_beside_the_schedulers_never_fails(self, house: House) -> None:
        requests = [a_new_item(dedup_key="key") for _ in range(3)]
        await asyncio.gather(
            *(ask(house) for _ in range(SCHEDULERS)), *(house.store.insert(new) for new in requests)
        )

        assert len(await everything(house.store)) == 1


async def ask(house: House, key: str = "key") -> DueAnswer:
    """Ask for one more item with this key, if it is due."""
    return await house.store.insert_if_due(a_new_item(dedup_key=key), interval=INTERVAL)


async def after_turns(turns: int, act: Awaitable[object]) -> object:
    """Act some turns of the event loop later, so that whoever races meets in every state."""
    for _ in range(turns):
        await asyncio.sleep(0)
    return await act


async def work_off(house: House) -> None:
    """Run whatever comes, turn after turn."""
    for _ in range(SCHEDULERS):
        await asyncio.sleep(0)
        for item in await house.store.claim(a_claim(limit=5)):
            await house.store.finish(item.id, a_success(item.attempt))
