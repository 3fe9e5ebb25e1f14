"""What becomes of an item, as its handler behaves."""

import asyncio
from contextlib import suppress
from datetime import timedelta

import pytest

from application.handling import PermanentError, Run, Stopped, StopReason, WorkError
from application.ports.journal import AttemptFenced, AttemptFinished, HandlerLeftBehind, HandlerRaised
from domain.attempt import AttemptEnd
from domain.failure import Failure
from domain.ids import JsonText
from domain.lease import Lease
from domain.progress import Progress
from domain.retry import Backoff
from domain.work_item import Cancelled, Failed, PartialResult, Queued, Running, Status, Succeeded
from tests.support.builders import BOB, a_new_item, enqueued
from tests.support.clock import START, settled
from tests.support.probes import ProbeHandler, ProbePayload, ProbeResult, Stubborn, for_ever
from tests.support.reading import state_of
from tests.support.workers import ADA, Workshop


@pytest.fixture
def shop() -> Workshop:
    return Workshop()


async def test_an_item_is_claimed_run_and_finished(shop: Workshop) -> None:
    item = await shop.a_probe(7)
    handler = ProbeHandler()

    async with shop.at_work(shop.worker(handler)):
        pass

    assert [run.payload for run in handler.runs] == [ProbePayload(7)]
    assert [run.id.work_item_id for run in handler.runs] == [item]
    found = await shop.look_at(item)
    assert state_of(found, Succeeded).result == '{"done":7.0}'
    assert (found.attempt, found.stalls, found.retries) == (1, 0, 0)


async def test_the_last_report_stands_with_the_result(shop: Workshop) -> None:
    async def reports(run: Run[ProbePayload]) -> ProbeResult:
        run.progress.report(done=3, total=3, note="none failed")
        return ProbeResult(3)

    item = await shop.a_probe()
    async with shop.at_work(shop.worker(ProbeHandler(reports))):
        pass

    succeeded = state_of(await shop.look_at(item), Succeeded)
    assert succeeded.run.progress == Progress(3, 3, "none failed")


async def test_a_plain_function_is_a_handler_too(shop: Workshop) -> None:
    class Plain:
        def handle(self, run: Run[ProbePayload]) -> ProbeResult:
            return ProbeResult(run.payload.number + 1)

    item = await shop.a_probe(1)
    async with shop.at_work(shop.worker(Plain())):
        pass

    assert state_of(await shop.look_at(item), Succeeded).result == '{"done":2.0}'


async def test_a_payload_that_cannot_be_decoded_fails_its_item_and_no_other(shop: Workshop) -> None:
    bad = await enqueued(shop.store, a_new_item(kind="probe", payload='{"number":"/photos/secret"}'))
    good = await shop.a_probe()
    handler = ProbeHandler()

    async with shop.at_work(shop.worker(handler)):
        pass

    failure = state_of(await shop.look_at(bad), Failed).failure
    assert failure == Failure("payload-invalid", "Expected `int`, got `str`, at $.number.")
    assert (await shop.look_at(good)).status is Status.SUCCEEDED
    assert len(handler.runs) == 1


async def test_a_kind_that_the_worker_does_not_know_is_left_alone(shop: Workshop) -> None:
    unknown = await enqueued(shop.store, a_new_item(kind="from-the-future"))
    known = await shop.a_probe()

    async with shop.at_work(shop.worker()):
        pass

    assert await shop.look_at(unknown) == a_new_item(id=unknown, kind="from-the-future").queued_at(START)
    assert (await shop.look_at(known)).status is Status.SUCCEEDED


async def test_an_exception_fails_the_item_and_its_text_stays_in_the_journal(shop: Workshop) -> None:
    error = FileNotFoundError("/photos/secret.jpg")

    async def breaks(run: Run[ProbePayload]) -> ProbeResult:
        run.progress.report(done=2, total=9)
        raise error

    item = await shop.a_probe()
    async with shop.at_work(shop.worker(ProbeHandler(breaks))):
        pass

    failed = state_of(await shop.look_at(item), Failed)
    assert failed.failure == Failure("handler-error", "FileNotFoundError was raised.")
    assert failed.run.progress == Progress(2, 9)
    assert [entry.error for entry in shop.journal.of(HandlerRaised)] == [error]


async def test_a_kind_that_retries_is_run_again_when_its_wait_is_over(shop: Workshop) -> None:
    async def busy_at_first(run: Run[ProbePayload]) -> ProbeResult:
        if run.id.attempt == 1:
            raise WorkError("busy", "Try later.")
        return ProbeResult()

    item = await shop.a_probe()
    worker = shop.worker(ProbeHandler(busy_at_first), retry=Backoff(max_retries=3))
    async with shop.at_work(worker):
        waiting = await shop.look_at(item)
        assert waiting.state == Queued(START + timedelta(seconds=30), Failure("busy", "Try later."))
        await shop.pass_time(29)
        assert (await shop.look_at(item)).status is Status.QUEUED
        await shop.pass_time(1)

    found = await shop.look_at(item)
    assert found.status is Status.SUCCEEDED
    assert (found.attempt, found.stalls, found.retries) == (2, 0, 1)
    assert [ended.how for ended in await shop.store.attempts(item)] == [
        AttemptEnd.RETRIED,
        AttemptEnd.SUCCEEDED,
    ]


async def test_a_permanent_error_fails_the_item_at_once(shop: Workshop) -> None:
    async def gone(_: Run[ProbePayload]) -> ProbeResult:
        raise PermanentError("gone", "It is gone.")

    item = await shop.a_probe()
    async with shop.at_work(shop.worker(ProbeHandler(gone), retry=Backoff(max_retries=3))):
        pass

    assert state_of(await shop.look_at(item), Failed).failure == Failure("gone", "It is gone.")


async def test_a_cancelled_item_ends_with_what_was_done_when_its_handler_looks(shop: Workshop) -> None:
    async def until_asked(run: Run[ProbePayload]) -> Stopped | ProbeResult:
        done = 0
        while not run.cancel.requested:
            done += 1
            run.progress.report(done=done)
            await shop.clock.sleep(timedelta(seconds=0.9))
        return Stopped(ProbeResult(done))

    item = await shop.a_probe()
    async with shop.at_work(shop.worker(ProbeHandler(until_asked))):
        await shop.pass_time(3)
        await shop.store.cancel(item)
        await shop.pass_time(2)

    cancelled = state_of(await shop.look_at(item), Cancelled)
    assert cancelled.left == PartialResult(JsonText('{"done":5.0}'))
    assert cancelled.cancel_requested_at == START + timedelta(seconds=3)
    assert cancelled.run is not None
    assert cancelled.run.progress == Progress(5)


async def test_a_cancel_request_interrupts_nothing_by_force(shop: Workshop) -> None:
    async def goes_on(_: Run[ProbePayload]) -> ProbeResult:
        await shop.clock.sleep(timedelta(seconds=30))
        return ProbeResult(30)

    item = await shop.a_probe()
    async with shop.at_work(shop.worker(ProbeHandler(goes_on))):
        await shop.store.cancel(item)
        await shop.pass_time(31)

    succeeded = state_of(await shop.look_at(item), Succeeded)
    assert succeeded.result == '{"done":30.0}'
    assert succeeded.cancel_requested_at == START


async def test_an_error_after_a_cancel_request_leaves_the_item_cancelled(shop: Workshop) -> None:
    async def breaks_when_asked(run: Run[ProbePayload]) -> ProbeResult:
        while not run.cancel.requested:
            await shop.clock.sleep(timedelta(seconds=1))
        raise WorkError("busy", "Try later.")

    item = await shop.a_probe()
    async with shop.at_work(shop.worker(ProbeHandler(breaks_when_asked), retry=Backoff(max_retries=3))):
        await shop.store.cancel(item)
        await shop.pass_time(3)

    found = await shop.look_at(item)
    assert state_of(found, Cancelled).left == Failure("busy", "Try later.")
    assert found.retries == 0


async def test_a_fenced_handler_is_cancelled_and_nothing_is_written_for_it(shop: Workshop) -> None:
    handler = ProbeHandler(for_ever)
    item = await shop.a_probe()
    async with shop.at_work(shop.worker(handler)):
        await shop.pass_time(1)
        await shop.take_away(item, by=BOB)
        before = await shop.look_at(item)
        await shop.pass_time(2)

        assert handler.runs[0].cancel.reason is StopReason.FENCED
        assert await shop.look_at(item) == before
        assert state_of(before, Running).lease.holder == BOB


async def test_a_result_that_comes_after_the_fence_is_not_written(shop: Workshop) -> None:
    async def swallows(_: Run[ProbePayload]) -> ProbeResult:
        with suppress(asyncio.CancelledError):
            await asyncio.Future[None]()
        return ProbeResult(99)

    item = await shop.a_probe()
    async with shop.at_work(shop.worker(ProbeHandler(swallows))):
        await shop.take_away(item, by=BOB)
        before = await shop.look_at(item)
        await shop.pass_time(2)

        assert await shop.look_at(item) == before
    assert shop.journal.of(AttemptFinished) == []
    assert len(shop.journal.of(AttemptFenced)) == 1


async def test_a_fenced_handler_that_will_not_stop_is_left_behind_and_its_slot_goes_on(
    shop: Workshop,
) -> None:
    handler = Stubborn()
    item = await shop.a_probe()
    async with shop.at_work(shop.worker(handler)):
        await shop.take_away(item, by=BOB)
        following = await shop.a_probe()
        await shop.pass_time(8)
        assert len(handler.runs) == 1
        await shop.pass_time(1)

        assert [run.id.work_item_id for run in handler.runs] == [item, following]
        assert [entry.item for entry in shop.journal.of(HandlerLeftBehind)] == [item]
        assert [lane.is_closed for lane in shop.lanes.opened] == [True, False]
        handler.let_go.set()


async def test_a_handler_that_takes_its_time_keeps_its_lease(shop: Workshop) -> None:
    item = await shop.a_probe()
    async with shop.at_work(shop.worker(ProbeHandler(for_ever))):
        await shop.pass_time(600)

        running = state_of(await shop.look_at(item), Running)
        assert running.lease == Lease(ADA, START + timedelta(seconds=660))
        assert (await shop.look_at(item)).attempt == 1


async def test_an_item_that_the_store_took_too_long_to_hand_out_is_not_run(shop: Workshop) -> None:
    handler = ProbeHandler()
    item = await shop.a_probe()
    shop.line.slow_answers["claim"] = asyncio.Event()
    async with shop.at_work(shop.worker(handler)):
        shop.clock.advance(timedelta(seconds=61))
        shop.line.slow_answers.pop("claim").set()
        await settled()

        assert handler.runs == []
        assert (await shop.look_at(item)).status is Status.RUNNING
