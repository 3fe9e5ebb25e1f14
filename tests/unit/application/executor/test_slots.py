import asyncio
from datetime import timedelta

import pytest

from application.handling import Run
from application.ports.journal import AttemptClaimed, AttemptFinished, MachineFault
from domain.failure import Failure
from domain.work_item import Failed, Status
from tests.support.probes import ProbeHandler, ProbePayload, ProbeResult, for_ever
from tests.support.reading import state_of
from tests.support.workers import Workshop


@pytest.fixture
def shop() -> Workshop:
    return Workshop()


class Crowd:
    """A handler that counts how many of it run at once."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self.now = 0
        self.most = 0

    async def handle(self, run: Run[ProbePayload]) -> ProbeResult:
        self.now += 1
        self.most = max(self.most, self.now)
        await self._shop.clock.sleep(timedelta(seconds=1 + run.payload.number))
        self.now -= 1
        return ProbeResult()


@pytest.mark.parametrize("slots", [1, 2, 3, 10])
async def test_as_many_items_run_at_once_as_there_are_slots(shop: Workshop, slots: int) -> None:
    items = [await shop.a_probe(number % 3) for number in range(12)]
    crowd = Crowd(shop)

    async with shop.at_work(shop.worker(crowd, options=shop.options(slots=slots))):
        await shop.pass_time(60)

    assert crowd.most == slots
    assert [(await shop.look_at(item)).status for item in items] == [Status.SUCCEEDED] * 12


async def test_items_are_begun_in_the_order_in_which_they_were_asked_for(shop: Workshop) -> None:
    items = [await shop.a_probe() for _ in range(5)]

    async with shop.at_work(shop.worker()):
        pass

    assert [entry.item for entry in shop.journal.of(AttemptClaimed)] == items


async def test_all_free_slots_are_filled_with_one_claim(shop: Workshop) -> None:
    for _ in range(7):
        await shop.a_probe()

    async with shop.at_work(shop.worker(ProbeHandler(for_ever), options=shop.options(slots=5))):
        assert shop.line.calls["claim"] == 1
        assert len(shop.journal.of(AttemptClaimed)) == 5


async def test_while_there_is_work_an_item_costs_one_round_trip(shop: Workshop) -> None:
    for _ in range(100):
        await shop.a_probe()

    async with shop.at_work(shop.worker()):
        assert shop.line.calls["claim"] == 1
        assert shop.line.calls["finish_and_claim"] == 100
        assert shop.line.calls["finish"] == 0
        assert shop.line.calls["heartbeat"] == 0


async def test_a_slot_that_gets_free_claims_for_the_others_that_are_free_too(shop: Workshop) -> None:
    first = await shop.a_probe(0)
    crowd = Crowd(shop)
    async with shop.at_work(shop.worker(crowd, options=shop.options(slots=3))):
        later = [await shop.a_probe(5) for _ in range(3)]
        await shop.pass_time(1)

        assert (await shop.look_at(first)).status is Status.SUCCEEDED
        assert [(await shop.look_at(item)).status for item in later] == [Status.RUNNING] * 3


async def test_slots_that_get_free_together_do_not_claim_for_the_same_room(shop: Workshop) -> None:
    together = asyncio.Event()

    async def first_two_together(run: Run[ProbePayload]) -> ProbeResult:
        if run.payload.number == 0:
            await together.wait()
        else:
            await shop.clock.sleep(timedelta(seconds=1))
        return ProbeResult()

    for _ in range(2):
        await shop.a_probe(0)
    worker = shop.worker(ProbeHandler(first_two_together), options=shop.options(slots=4))
    async with shop.at_work(worker):
        later = [await shop.a_probe(1) for _ in range(12)]
        together.set()
        await shop.quiet()

        running = [item for item in later if (await shop.look_at(item)).status is Status.RUNNING]
        assert len(running) == 4


async def test_no_slot_waits_for_a_poll_while_there_is_work(shop: Workshop) -> None:
    items = [await shop.a_probe() for _ in range(40)]

    async with shop.at_work(shop.worker(Crowd(shop), options=shop.options(slots=4))):
        await shop.pass_time(10)

        assert [(await shop.look_at(item)).status for item in items] == [Status.SUCCEEDED] * 40


@pytest.mark.parametrize("slots", [1, 4])
async def test_no_more_than_the_limit_are_taken_before_the_worker_leaves(shop: Workshop, slots: int) -> None:
    for _ in range(10):
        await shop.a_probe()
    options = shop.options(slots=slots, max_items=6)

    async with shop.at_work(shop.worker(options=options)) as working:
        assert working.done()

    assert len(shop.journal.of(AttemptFinished)) == 6


async def test_a_worker_with_a_limit_waits_for_what_it_has_taken(shop: Workshop) -> None:
    item = await shop.a_probe(100)
    options = shop.options(max_items=1)

    async with shop.at_work(shop.worker(Crowd(shop), options=options)) as working:
        await shop.pass_time(100)
        assert not working.done()
        await shop.pass_time(1)
        assert working.done()

    assert (await shop.look_at(item)).status is Status.SUCCEEDED


async def test_a_slot_that_breaks_fails_its_item_and_the_others_go_on(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = await shop.a_probe(), await shop.a_probe()
    worker = shop.worker()

    def broken(*_: object) -> None:
        raise RuntimeError("a fault of the code")

    with monkeypatch.context() as patched:
        patched.setattr(type(worker.executor.registry), "of", broken)
        async with shop.at_work(worker):
            pass

    failure = state_of(await shop.look_at(bad), Failed).failure
    assert failure == Failure("handler-error", "RuntimeError was raised.")
    assert (await shop.look_at(good)).status is Status.QUEUED
    assert [type(entry.error) for entry in shop.journal.of(MachineFault)] == [RuntimeError]
