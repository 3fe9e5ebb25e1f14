"""How a worker leaves: in what order, how soon, and with what left behind (R21, R22)."""

import asyncio
from datetime import timedelta

import pytest

from application.handling import Run, Stopped, StopReason, WorkError
from application.ports.journal import AttemptFenced, FencedBy, HandlerLeftBehind, HandlerRaised, WorkerLeft
from domain.attempt import AttemptEnd
from domain.failure import Failure
from domain.lease import Lease
from domain.work_item import Cancelled, Failed, PartialResult, Running, Status
from tests.support.clock import START, settled
from tests.support.probes import ProbeHandler, ProbePayload, ProbeResult, Stubborn, for_ever
from tests.support.reading import state_of
from tests.support.workers import ADA, Workshop


@pytest.fixture
def shop() -> Workshop:
    return Workshop()


async def test_an_idle_worker_leaves_at_once(shop: Workshop) -> None:
    worker = shop.worker()
    async with shop.at_work(worker) as working:
        worker.stop()
        await settled()
        assert working.done()

    assert await shop.presences.workers() == ()


async def test_a_polite_handlers_item_is_handed_back_at_once_without_a_stall(shop: Workshop) -> None:
    item = await shop.a_probe()
    handler = ProbeHandler(for_ever)
    worker = shop.worker(handler)
    async with shop.at_work(worker) as working:
        worker.stop()
        await settled()
        assert working.done()

    found = await shop.look_at(item)
    assert found.status is Status.QUEUED
    assert (found.attempt, found.stalls, found.retries) == (1, 0, 0)
    assert found.requested_at == START
    assert [ended.how for ended in await shop.store.attempts(item)] == [AttemptEnd.RELEASED]
    assert handler.runs[0].cancel.reason is StopReason.SHUTTING_DOWN
    assert shop.journal.of(HandlerRaised) == []


async def test_nothing_is_claimed_once_the_worker_leaves(shop: Workshop) -> None:
    running, waiting = await shop.a_probe(), await shop.a_probe()
    worker = shop.worker(ProbeHandler(for_ever))
    async with shop.at_work(worker):
        worker.stop()
        await shop.pass_time(8)

    assert (await shop.look_at(running)).attempt == 1
    assert (await shop.look_at(waiting)).attempt == 0


async def test_a_handler_that_finishes_in_time_is_recorded_as_what_it_is(shop: Workshop) -> None:
    async def finishes(_: Run[ProbePayload]) -> ProbeResult:
        try:
            await asyncio.Future[None]()
        except asyncio.CancelledError:
            await shop.clock.sleep(timedelta(seconds=6))
        return ProbeResult(1)

    item = await shop.a_probe()
    worker = shop.worker(ProbeHandler(finishes))
    async with shop.at_work(worker):
        worker.stop()
        await shop.pass_time(6)

    assert (await shop.look_at(item)).status is Status.SUCCEEDED


async def test_a_handler_that_fails_in_time_with_its_own_words_has_failed(shop: Workshop) -> None:
    async def fails(run: Run[ProbePayload]) -> ProbeResult:
        while not run.cancel.requested:
            try:
                await asyncio.Future[None]()
            except asyncio.CancelledError:
                continue
        raise WorkError("root-unreadable", "Gone.")

    item = await shop.a_probe()
    worker = shop.worker(ProbeHandler(fails))
    async with shop.at_work(worker):
        worker.stop()
        await settled()

    assert state_of(await shop.look_at(item), Failed).failure == Failure("root-unreadable", "Gone.")


async def test_what_the_shutdown_breaks_in_a_handler_does_not_count_against_its_item(
    shop: Workshop,
) -> None:
    async def breaks(_: Run[ProbePayload]) -> ProbeResult:
        try:
            return await asyncio.Future[ProbeResult]()
        except asyncio.CancelledError:
            raise OSError("/photos/secret") from None

    item = await shop.a_probe()
    worker = shop.worker(ProbeHandler(breaks))
    async with shop.at_work(worker):
        worker.stop()
        await settled()

    assert (await shop.look_at(item)).status is Status.QUEUED


async def test_stopped_at_a_shutdown_means_handed_back_whole(shop: Workshop) -> None:
    async def looks(run: Run[ProbePayload]) -> Stopped:
        while not run.cancel.requested:
            try:
                await asyncio.Future[None]()
            except asyncio.CancelledError:
                continue
        return Stopped(ProbeResult(5))

    item = await shop.a_probe()
    worker = shop.worker(ProbeHandler(looks))
    async with shop.at_work(worker):
        worker.stop()
        await settled()

    assert (await shop.look_at(item)).status is Status.QUEUED


async def test_an_item_that_was_to_be_cancelled_is_not_queued_again(shop: Workshop) -> None:
    item = await shop.a_probe()
    worker = shop.worker(ProbeHandler(for_ever))
    async with shop.at_work(worker):
        await shop.store.cancel(item)
        worker.stop()
        await settled()

    assert state_of(await shop.look_at(item), Cancelled).left is None


async def test_a_cancel_request_during_the_grace_still_gets_its_partial_result(shop: Workshop) -> None:
    async def looks(run: Run[ProbePayload]) -> Stopped:
        while not run.cancel.told(StopReason.CANCEL_REQUESTED):
            try:
                await shop.clock.sleep(timedelta(seconds=0.5))
            except asyncio.CancelledError:
                continue
        return Stopped(ProbeResult(5))

    item = await shop.a_probe()
    worker = shop.worker(ProbeHandler(looks))
    async with shop.at_work(worker):
        worker.stop()
        await shop.pass_time(1)
        await shop.store.cancel(item)
        await shop.pass_time(3)

    left = state_of(await shop.look_at(item), Cancelled).left
    assert isinstance(left, PartialResult)
    assert left.result == '{"done":5.0}'


async def test_a_handler_that_ignores_everything_keeps_its_lease_until_its_item_is_handed_back(
    shop: Workshop,
) -> None:
    item = await shop.a_probe()
    handler = Stubborn()
    worker = shop.worker(handler)
    async with shop.at_work(worker) as working:
        worker.stop()
        await shop.pass_time(6.9)
        running = state_of(await shop.look_at(item), Running)
        assert running.lease == Lease(ADA, START + timedelta(seconds=66))
        await shop.pass_time(0.1)
        assert working.done()

    found = await shop.look_at(item)
    assert found.status is Status.QUEUED
    assert found.stalls == 0
    assert [entry.item for entry in shop.journal.of(HandlerLeftBehind)] == [item]
    handler.let_go.set()


async def test_no_handlers_result_is_written_after_its_item_was_handed_back(shop: Workshop) -> None:
    item = await shop.a_probe()
    handler = Stubborn()
    worker = shop.worker(handler)
    async with shop.at_work(worker):
        worker.stop()
        await shop.pass_time(8)
    before = await shop.look_at(item)

    handler.let_go.set()
    await shop.pass_time(60)

    assert await shop.look_at(item) == before


async def test_several_handlers_leave_side_by_side(shop: Workshop) -> None:
    items = [await shop.a_probe() for _ in range(3)]
    handler = Stubborn()
    worker = shop.worker(handler, options=shop.options(slots=3))
    async with shop.at_work(worker) as working:
        worker.stop()
        await shop.pass_time(7)
        assert working.done()

    assert [(await shop.look_at(item)).status for item in items] == [Status.QUEUED] * 3
    handler.let_go.set()


async def test_a_claim_that_is_answered_while_the_worker_leaves_is_handed_back(shop: Workshop) -> None:
    item = await shop.a_probe()
    handler = ProbeHandler()
    worker = shop.worker(handler)
    answer = shop.line.slow_answers["claim"] = asyncio.Event()
    async with shop.at_work(worker) as working:
        worker.stop()
        await settled()
        assert not working.done()
        answer.set()
        await settled()
        assert working.done()

    found = await shop.look_at(item)
    assert (found.status, found.attempt, found.stalls) == (Status.QUEUED, 1, 0)
    assert handler.runs == []


async def test_a_claim_whose_reply_is_lost_while_the_worker_leaves_is_handed_back(
    shop: Workshop,
) -> None:
    item = await shop.a_probe()
    worker = shop.worker()
    answer = shop.line.slow_answers["claim"] = asyncio.Event()
    shop.line.loses_replies.update({"claim": 1, "held_by": 2})
    async with shop.at_work(worker) as working:
        worker.stop()
        await settled()
        answer.set()
        await shop.pass_time(3)
        assert working.done()

    found = await shop.look_at(item)
    assert (found.status, found.attempt, found.stalls) == (Status.QUEUED, 1, 0)


async def test_a_release_is_repeated_until_it_is_written(shop: Workshop) -> None:
    item = await shop.a_probe()
    worker = shop.worker(ProbeHandler(for_ever))
    async with shop.at_work(worker) as working:
        shop.line.loses_requests["finish"] = 3
        worker.stop()
        await shop.pass_time(4)
        assert working.done()

    assert (await shop.look_at(item)).status is Status.QUEUED


async def test_a_store_that_is_away_keeps_nobody_beyond_the_grace(shop: Workshop) -> None:
    item = await shop.a_probe()
    worker = shop.worker(ProbeHandler(for_ever))
    async with shop.at_work(worker) as working:
        shop.line.is_away = True
        worker.stop()
        await shop.pass_time(7.7)
        assert not working.done()
        await shop.pass_time(0.1)
        assert working.done()

    assert (await shop.look_at(item)).status is Status.RUNNING
    assert [entry.running for entry in shop.journal.of(WorkerLeft)] == [1]
    assert [entry.by for entry in shop.journal.of(AttemptFenced)] == [FencedBy.DEPARTURE]


async def test_a_worker_that_has_left_writes_nothing_even_if_its_process_lives_on(shop: Workshop) -> None:
    item = await shop.a_probe()
    worker = shop.worker(ProbeHandler(for_ever))
    async with shop.at_work(worker):
        shop.line.is_away = True
        worker.stop()
        await shop.pass_time(8)
    before = await shop.look_at(item)

    shop.line.is_away = False
    await shop.pass_time(30)

    assert await shop.look_at(item) == before


async def test_a_store_that_never_answers_keeps_nobody_beyond_the_grace_either(shop: Workshop) -> None:
    shop.line.holds["claim"] = asyncio.Event()
    worker = shop.worker()
    async with shop.at_work(worker) as working:
        worker.stop()
        await shop.pass_time(7.75)
        assert working.done()


async def test_told_to_stop_again_and_again_a_worker_leaves_just_once(shop: Workshop) -> None:
    await shop.a_probe()
    worker = shop.worker(ProbeHandler(for_ever))
    async with shop.at_work(worker):
        for _ in range(5):
            worker.stop()
            await settled()

    assert len(shop.journal.of(WorkerLeft)) == 1


async def test_a_short_grace_is_halved_between_handlers_and_the_rest(shop: Workshop) -> None:
    item = await shop.a_probe()
    handler = Stubborn()
    worker = shop.worker(handler, options=shop.options(grace=timedelta(seconds=2)))
    async with shop.at_work(worker) as working:
        worker.stop()
        await shop.pass_time(1)
        assert working.done()

    assert (await shop.look_at(item)).status is Status.QUEUED
    handler.let_go.set()
