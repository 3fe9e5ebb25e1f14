"""Requests that never arrived, replies that got lost, and stores that refuse (R14-R16)."""

import asyncio
from datetime import timedelta

import pytest

from application.handling import Run
from application.ports.journal import (
    AttemptFault,
    AttemptFenced,
    AttemptFinished,
    MachineFault,
    StrayReleased,
)
from domain.attempt import AttemptEnd
from domain.events import Fail, Succeed
from domain.work_item import Failed, Status
from tests.support.clock import settled
from tests.support.probes import ProbeHandler, ProbePayload, ProbeResult, for_ever
from tests.support.reading import state_of
from tests.support.workers import Workshop


@pytest.fixture
def shop() -> Workshop:
    return Workshop()


@pytest.mark.parametrize("verb", ["finish_and_claim", "claim"])
@pytest.mark.parametrize("lost", ["loses_requests", "loses_replies"])
async def test_whatever_gets_lost_each_item_is_run_to_its_end_without_a_stall(
    shop: Workshop, verb: str, lost: str
) -> None:
    items = [await shop.a_probe(number) for number in range(3)]
    getattr(shop.line, lost)[verb] = 1

    async with shop.at_work(shop.worker()):
        await shop.pass_time(5)

    found = [await shop.look_at(item) for item in items]
    assert [item.status for item in found] == [Status.SUCCEEDED] * 3
    assert [item.stalls for item in found] == [0, 0, 0]


async def test_a_claim_whose_reply_was_lost_is_handed_back_and_claimed_again_at_once(
    shop: Workshop,
) -> None:
    item = await shop.a_probe()
    shop.line.loses_replies["claim"] = 1

    async with shop.at_work(shop.worker()):
        await shop.pass_time(0.25)
        found = await shop.look_at(item)

    assert found.status is Status.SUCCEEDED
    assert (found.attempt, found.stalls) == (2, 0)
    assert [ended.how for ended in await shop.store.attempts(item)] == [
        AttemptEnd.RELEASED,
        AttemptEnd.SUCCEEDED,
    ]
    assert [(entry.item, entry.attempt) for entry in shop.journal.of(StrayReleased)] == [(item, 1)]


async def test_a_stray_does_not_wait_for_the_next_poll(shop: Workshop) -> None:
    async def for_a_second(_: Run[ProbePayload]) -> ProbeResult:
        await shop.clock.sleep(timedelta(seconds=1))
        return ProbeResult()

    await shop.a_probe()
    stray = await shop.a_probe()
    async with shop.at_work(shop.worker(ProbeHandler(for_a_second))):
        shop.line.loses_replies["finish_and_claim"] = 1
        await shop.pass_time(2)

        found = await shop.look_at(stray)
        assert (found.status, found.attempt) == (Status.SUCCEEDED, 2)


async def test_an_item_that_runs_is_not_handed_back_with_the_stray(shop: Workshop) -> None:
    handler = ProbeHandler(for_ever)
    worker = shop.worker(handler, options=shop.options(slots=2))
    running = await shop.a_probe()
    async with shop.at_work(worker):
        stray = await shop.a_probe()
        shop.line.loses_replies["claim"] = 1
        await shop.pass_time(6)

        assert (await shop.look_at(running)).attempt == 1
        assert (await shop.look_at(stray)).attempt == 2
        assert [entry.item for entry in shop.journal.of(StrayReleased)] == [stray]


async def test_a_claim_that_is_still_under_way_is_not_taken_for_a_stray(shop: Workshop) -> None:
    async def for_seconds(run: Run[ProbePayload]) -> ProbeResult:
        await shop.clock.sleep(timedelta(seconds=run.payload.number))
        return ProbeResult()

    for number in (1, 2):
        await shop.a_probe(number)
    worker = shop.worker(ProbeHandler(for_seconds), options=shop.options(slots=2))
    async with shop.at_work(worker):
        late, lost = await shop.a_probe(30), await shop.a_probe(30)
        answer = shop.line.slow_answers["finish_and_claim"] = asyncio.Event()
        await shop.pass_time(1)
        shop.line.slow_answers.clear()
        shop.line.loses_replies["finish_and_claim"] = 1
        await shop.pass_time(1)
        answer.set()
        await shop.pass_time(60)

    assert [(await shop.look_at(item)).status for item in (late, lost)] == [Status.SUCCEEDED] * 2
    assert (await shop.look_at(late)).attempt == 1
    assert (await shop.look_at(lost)).attempt == 2
    assert [entry.item for entry in shop.journal.of(StrayReleased)] == [lost]


@pytest.mark.parametrize("lost", ["loses_requests", "loses_replies"])
async def test_a_finish_is_repeated_until_the_store_has_answered(shop: Workshop, lost: str) -> None:
    item = await shop.a_probe()
    getattr(shop.line, lost).update({"finish_and_claim": 1, "finish": 3})

    async with shop.at_work(shop.worker()):
        await shop.pass_time(10)

    found = await shop.look_at(item)
    assert found.status is Status.SUCCEEDED
    assert (found.attempt, found.stalls) == (1, 0)
    assert len(await shop.store.attempts(item)) == 1
    assert len(shop.journal.of(AttemptFinished)) == 1
    assert len(shop.journal.of(AttemptFault)) == 4
    assert shop.journal.of(AttemptFenced) == []


async def test_the_lease_is_renewed_while_a_finish_does_not_go_through(shop: Workshop) -> None:
    item = await shop.a_probe()
    shop.line.loses_requests.update({"finish_and_claim": 1, "finish": 60})

    async with shop.at_work(shop.worker()):
        await shop.pass_time(300)

    found = await shop.look_at(item)
    assert found.status is Status.SUCCEEDED
    assert (found.attempt, found.stalls) == (1, 0)


async def test_a_finish_that_cannot_be_written_until_the_lease_is_over_is_given_up(
    shop: Workshop,
) -> None:
    lost = await shop.a_probe()
    shop.line.loses_requests.update({"finish_and_claim": 1, "finish": 1_000, "heartbeat": 1_000})
    async with shop.at_work(shop.worker()):
        await shop.pass_time(61)
        writes = shop.line.calls["finish"]
        await shop.pass_time(60)

        assert shop.line.calls["finish"] == writes
    assert [ended.how for ended in await shop.store.attempts(lost)][:1] == [AttemptEnd.STALLED]
    assert [entry.item for entry in shop.journal.of(AttemptFenced)] == [lost]


async def test_an_end_that_the_store_refuses_becomes_a_plain_failure(shop: Workshop) -> None:
    item = await shop.a_probe()
    shop.line.refuses.add(Succeed)

    async with shop.at_work(shop.worker()):
        pass

    failure = state_of(await shop.look_at(item), Failed).failure
    assert failure.code == "result-invalid"
    assert failure.text == "The store refused what the run had to say."


async def test_an_end_that_is_refused_however_plain_is_left_to_recovery(shop: Workshop) -> None:
    item, following = await shop.a_probe(), await shop.a_probe()
    shop.line.refuses.update({Succeed, Fail})

    async with shop.at_work(shop.worker(options=shop.options(max_items=1))):
        await shop.pass_time(30)

    assert (await shop.look_at(item)).status is Status.RUNNING
    assert shop.line.calls["finish"] == 2
    assert (await shop.look_at(following)).status is Status.QUEUED


async def test_an_attempt_that_was_lost_is_never_handed_back_as_a_stray(shop: Workshop) -> None:
    item = await shop.a_probe()
    async with shop.at_work(shop.worker(ProbeHandler(for_ever))):
        # The process stands still past its lease, and nobody else has recovered the item yet.
        shop.clock.advance(timedelta(seconds=61))
        await settled()
        before = await shop.look_at(item)
        shop.line.refuses.add(item)
        shop.line.loses_replies["claim"] = 1
        await shop.pass_time(5.5)
        assert shop.line.calls["held_by"] == 1

        assert await shop.look_at(item) == before


async def test_machine_faults_of_claims_are_told_and_the_worker_comes_back(shop: Workshop) -> None:
    async with shop.at_work(shop.worker()):
        shop.line.is_away = True
        await shop.pass_time(12)
        item = await shop.a_probe()
        shop.line.is_away = False
        await shop.pass_time(30)

        assert (await shop.look_at(item)).status is Status.SUCCEEDED
    assert {entry.part for entry in shop.journal.of(MachineFault)} == {
        "presence",
        "recovery",
        "schedule",
        "claim",
    }
