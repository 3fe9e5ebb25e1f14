import asyncio
from datetime import timedelta

import pytest

from application.handling import WorkError
from application.ports.errors import StoreUnavailable, StoreUnfit
from application.ports.journal import AttemptRecovered, MachineFault, WorkerArrived, WorkerLeft
from domain.retry import Backoff
from domain.work_item import Status
from tests.support.builders import BOB, a_claim, claimed
from tests.support.clock import settled
from tests.support.probes import ProbeHandler, ProbeResult, ProbeSchedule, for_ever
from tests.support.reading import everything
from tests.support.workers import ADA, Workshop

PROBES = a_claim(kinds=frozenset({"probe"}), by=BOB)  # type: ignore[arg-type]
HOUR = timedelta(hours=1)


@pytest.fixture
def shop() -> Workshop:
    return Workshop()


async def test_work_that_comes_later_is_found_within_one_poll(shop: Workshop) -> None:
    async with shop.at_work(shop.worker()):
        await shop.pass_time(7)
        item = await shop.a_probe()
        await shop.pass_time(3)

        assert (await shop.look_at(item)).status is Status.SUCCEEDED


async def test_periodic_work_is_done_by_the_poll_that_asks_for_it(shop: Workshop) -> None:
    async with shop.at_work(shop.worker(schedule=ProbeSchedule(timedelta(minutes=5)))):
        assert [item.status for item in (await everything(shop.store)).values()] == [Status.SUCCEEDED]
        await shop.pass_time(2 * 5 * 60)

    assert [item.status for item in (await everything(shop.store)).values()] == [Status.SUCCEEDED] * 3


async def test_an_idle_worker_sends_under_sixty_statements_a_minute(shop: Workshop) -> None:
    async with shop.at_work(shop.worker(schedule=ProbeSchedule(HOUR))):
        await shop.pass_time(2)
        shop.line.calls.clear()
        await shop.pass_time(60)

        assert shop.line.calls == {"claim": 12, "expired": 12, "served": 12, "histories": 12, "seen": 4}


async def test_a_worker_is_seen_for_as_long_as_it_works(shop: Workshop) -> None:
    async with shop.at_work(shop.worker()):
        await shop.pass_time(100)
        (seen,) = await shop.presences.workers()
        assert seen.presence.name == ADA
        assert shop.clock.now() - seen.last_seen_at < timedelta(seconds=15)

    assert await shop.presences.workers() == ()


async def test_an_item_of_a_dead_worker_runs_again_within_a_lease_and_two_polls(shop: Workshop) -> None:
    item = await shop.a_probe()
    await claimed(shop.store, PROBES)

    async with shop.at_work(shop.worker()):
        await shop.pass_time(60 + 2 * 5)

        found = await shop.look_at(item)
        assert found.status is Status.SUCCEEDED
        assert (found.attempt, found.stalls) == (2, 1)
    assert [entry.item for entry in shop.journal.of(AttemptRecovered)] == [item]


@pytest.mark.parametrize("outage", [1, 20, 70, 3600])
async def test_after_an_outage_of_any_length_the_worker_is_back_within_half_a_minute(
    shop: Workshop, outage: int
) -> None:
    async with shop.at_work(shop.worker(schedule=ProbeSchedule(timedelta(minutes=1)))):
        shop.line.is_away = True
        await shop.pass_time(outage)
        shop.line.is_away = False
        item = await shop.a_probe()
        await shop.pass_time(30)

        assert (await shop.look_at(item)).status is Status.SUCCEEDED


async def test_a_worker_that_was_cut_off_gives_the_others_time_before_it_recovers(shop: Workshop) -> None:
    item = await shop.a_probe()
    await claimed(shop.store, PROBES)
    worker = shop.worker()
    async with shop.at_work(worker):
        shop.line.is_away = True
        await shop.pass_time(100)
        shop.line.is_away = False
        while not worker.recovery.is_watching:
            await shop.pass_time(0.25)

        # Two sightings are made by now, but the first beats after the reconnect are not over (R13).
        await shop.pass_time(5.5)
        assert (await shop.look_at(item)).status is Status.RUNNING
        await shop.pass_time(5)
        assert (await shop.look_at(item)).status is Status.SUCCEEDED


async def test_a_store_that_is_away_at_the_start_is_waited_for(shop: Workshop) -> None:
    item = await shop.a_probe()
    shop.line.is_away = True

    async with shop.at_work(shop.worker()):
        await shop.pass_time(300)
        assert shop.journal.of(WorkerArrived) == []
        shop.line.is_away = False
        await shop.pass_time(30)

        assert (await shop.look_at(item)).status is Status.SUCCEEDED
        assert len(shop.journal.of(WorkerArrived)) == 1


async def test_tries_get_rare_during_an_outage(shop: Workshop) -> None:
    async with shop.at_work(shop.worker()):
        shop.line.is_away = True
        await shop.pass_time(60)
        shop.line.calls.clear()
        await shop.pass_time(300)

        assert shop.line.calls["held_by"] == 10


async def test_one_part_that_fails_stops_no_other(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = shop.worker(schedule=ProbeSchedule(HOUR))
    error = RuntimeError("a fault of the code")

    async def broken() -> None:
        raise error

    monkeypatch.setattr(type(worker.recovery), "recover", lambda _: broken())
    async with shop.at_work(worker):
        item = await shop.a_probe()
        await shop.pass_time(5)

        assert (await shop.look_at(item)).status is Status.SUCCEEDED
        assert shop.journal.of(MachineFault) == [MachineFault("recovery", error)] * 2


async def test_once_works_off_what_is_ready_and_due_and_leaves(shop: Workshop) -> None:
    items = [await shop.a_probe() for _ in range(5)]

    worker = shop.worker(options=shop.options(once=True), schedule=ProbeSchedule(HOUR))
    async with shop.at_work(worker) as working:
        assert working.done()

    assert [(await shop.look_at(item)).status for item in items] == [Status.SUCCEEDED] * 5
    assert len(await everything(shop.store)) == 6
    assert await shop.presences.workers() == ()
    assert len(shop.journal.of(WorkerLeft)) == 1


async def test_once_waits_for_what_runs(shop: Workshop) -> None:
    item = await shop.a_probe()

    async def slow(_: object) -> ProbeResult:
        await shop.clock.sleep(timedelta(seconds=77))
        return ProbeResult()

    worker = shop.worker(ProbeHandler(slow), options=shop.options(once=True))
    async with shop.at_work(worker) as working:
        await shop.pass_time(76)
        assert not working.done()
        await shop.pass_time(1)
        assert working.done()

    assert (await shop.look_at(item)).status is Status.SUCCEEDED


async def test_once_does_not_wait_for_a_retry_that_is_not_ready(shop: Workshop) -> None:
    item = await shop.a_probe()

    async def busy(_: object) -> ProbeResult:
        raise WorkError("busy", "Try later.")

    options = shop.options(once=True)
    worker = shop.worker(ProbeHandler(busy), options=options, retry=Backoff(max_retries=3))
    async with shop.at_work(worker) as working:
        assert working.done()

    assert (await shop.look_at(item)).status is Status.QUEUED


async def test_once_also_brings_back_what_a_dead_worker_left(shop: Workshop) -> None:
    item = await shop.a_probe()
    await claimed(shop.store, PROBES)
    shop.clock.advance(timedelta(seconds=60))

    async with shop.at_work(shop.worker(options=shop.options(once=True))) as working:
        assert not working.done()
        await shop.pass_time(10)
        assert working.done()

    found = await shop.look_at(item)
    assert found.status is Status.SUCCEEDED
    assert found.stalls == 1


async def test_once_says_that_the_store_is_out_of_reach(shop: Workshop) -> None:
    shop.line.is_away = True

    with pytest.raises(StoreUnavailable, match="seen"):
        await shop.worker(options=shop.options(once=True)).run()


async def test_a_store_that_turns_out_unfit_ends_the_worker(shop: Workshop) -> None:
    shop.line.is_unfit = True
    with pytest.raises(StoreUnfit, match="seen: not on this store"):
        await shop.worker().run()

    shop.line.is_unfit = False
    life = asyncio.create_task(shop.worker().run())
    await shop.pass_time(1)
    assert not life.done()
    shop.line.is_unfit = True
    await shop.pass_time(10)
    assert isinstance(life.exception(), StoreUnfit)


async def test_once_outlasts_an_outage_in_the_middle(shop: Workshop) -> None:
    items = [await shop.a_probe() for _ in range(3)]
    shop.line.loses_replies.update({"finish_and_claim": 1, "finish": 2, "claim": 2, "held_by": 1})

    async with shop.at_work(shop.worker(options=shop.options(once=True))) as working:
        await shop.pass_time(30)
        assert working.done()

    assert [(await shop.look_at(item)).status for item in items] == [Status.SUCCEEDED] * 3
    assert [(await shop.look_at(item)).stalls for item in items] == [0, 0, 0]


async def test_two_workers_share_the_work(shop: Workshop) -> None:
    items = [await shop.a_probe() for _ in range(20)]
    ada, bob = shop.worker(name=ADA), shop.worker(name=BOB)

    async with shop.at_work(ada), shop.at_work(bob):
        await shop.pass_time(5)

    found = [await shop.look_at(item) for item in items]
    assert [item.status for item in found] == [Status.SUCCEEDED] * 20
    assert [item.attempt for item in found] == [1] * 20


async def test_a_worker_that_is_told_to_stop_before_it_has_arrived_just_leaves(shop: Workshop) -> None:
    shop.line.is_away = True
    worker = shop.worker(ProbeHandler(for_ever))

    async with shop.at_work(worker) as working:
        await shop.pass_time(100)
        worker.stop()
        await settled()
        assert working.done()

    assert shop.line.calls["held_by"] == 0
    assert shop.line.calls["gone"] == 0
    assert shop.journal.of(WorkerArrived) == []


async def test_a_store_that_never_answers_does_not_keep_a_worker_that_is_told_to_stop(
    shop: Workshop,
) -> None:
    shop.line.holds["seen"] = asyncio.Event()
    worker = shop.worker()

    async with shop.at_work(worker) as working:
        worker.stop()
        await settled()
        assert working.done()


async def test_once_is_seen_once(shop: Workshop) -> None:
    async with shop.at_work(shop.worker(options=shop.options(once=True))) as working:
        assert working.done()

    assert shop.line.calls["seen"] == 1
