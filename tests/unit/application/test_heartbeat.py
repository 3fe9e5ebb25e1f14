import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from application.handling import StopReason
from application.heartbeat import Grip, Heartbeat
from application.ports.journal import AttemptFault, AttemptFenced, FencedBy
from application.worker_options import WorkerOptions
from domain.events import Heartbeat as Beat
from domain.ids import WorkItemId
from domain.lease import Lease
from domain.outcomes import LeaseExtended
from domain.progress import Progress
from domain.work_item import Running, Status, WorkItem
from tests.support.builders import a_claim, a_failure, claimed
from tests.support.clock import START, settled
from tests.support.lanes import InlineLane
from tests.support.reading import state_of
from tests.support.workers import ADA, Workshop

OPTIONS = WorkerOptions(heartbeat=timedelta(seconds=2), lease=timedelta(seconds=60))
PROBES = a_claim(kinds=frozenset({"probe"}), by=ADA)  # type: ignore[arg-type]


@pytest.fixture
def shop() -> Workshop:
    return Workshop()


@pytest.fixture
async def heartbeat(shop: Workshop) -> AsyncIterator[Heartbeat]:
    heartbeat = Heartbeat(shop.store, InlineLane(), shop.clock, shop.journal, OPTIONS)
    heartbeat.begin()
    yield heartbeat
    heartbeat.end()


async def a_grip(shop: Workshop) -> Grip:
    await shop.a_probe()
    sent_at = shop.clock.monotonic()
    return Grip(await claimed(shop.store, PROBES), until=sent_at + OPTIONS.lease)


async def running(shop: Workshop, item: WorkItem) -> Running:
    return state_of(await shop.look_at(item.id), Running)


async def test_a_held_item_keeps_its_lease_for_as_long_as_it_is_held(
    shop: Workshop, heartbeat: Heartbeat
) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)

    await shop.pass_time(600)

    assert (await running(shop, grip.item)).lease == Lease(ADA, START + timedelta(seconds=660))
    assert grip.until == timedelta(seconds=660)
    assert heartbeat.still_holds(grip)
    assert shop.line.calls["heartbeat"] == 300


async def test_each_beat_carries_the_latest_progress_and_nothing_in_between(
    shop: Workshop, heartbeat: Heartbeat
) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)

    for done in range(1000):
        grip.progress.report(done=done, total=1000, note="so far")
    await shop.pass_time(2)

    assert (await running(shop, grip.item)).progress == Progress(999, 1000, "so far")
    assert shop.line.calls["heartbeat"] == 1


async def test_a_bad_report_breaks_no_beat(shop: Workshop, heartbeat: Heartbeat) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)

    grip.progress.report(done=-5, total=10**30, note="\0\ud800" + "x" * 1000)
    await shop.pass_time(2)

    note = "\N{REPLACEMENT CHARACTER}" * 2 + "x" * 197 + "…"
    assert (await running(shop, grip.item)).progress == Progress(0, 2**53 - 1, note)


async def test_a_cancel_request_reaches_the_handler_with_the_next_beat(
    shop: Workshop, heartbeat: Heartbeat
) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)

    await shop.store.cancel(grip.item.id)
    await shop.pass_time(2)

    assert grip.cancel.reason is StopReason.CANCEL_REQUESTED
    assert heartbeat.still_holds(grip)
    assert not grip.lost.is_set()


async def test_an_item_that_another_worker_ended_is_fenced_and_beaten_for_no_more(
    shop: Workshop, heartbeat: Heartbeat
) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)

    await shop.store.finish(grip.item.id, a_failure(grip.item.attempt))
    before = await shop.look_at(grip.item.id)
    await shop.pass_time(60)

    assert grip.lost.is_set()
    assert grip.cancel.reason is StopReason.FENCED
    assert not heartbeat.still_holds(grip)
    assert shop.line.calls["heartbeat"] == 1
    assert await shop.look_at(grip.item.id) == before
    item = grip.item
    assert shop.journal.of(AttemptFenced) == [
        AttemptFenced(item.id, item.kind, item.attempt, by=FencedBy.STORE)
    ]


async def test_a_store_that_is_away_for_a_while_fences_nobody(shop: Workshop, heartbeat: Heartbeat) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)

    shop.line.is_away = True
    await shop.pass_time(56)
    shop.line.is_away = False
    await shop.pass_time(2)

    assert heartbeat.still_holds(grip)
    assert grip.until == timedelta(seconds=118)
    assert len(shop.journal.of(AttemptFault)) == 28


async def test_a_store_that_is_away_past_the_lease_makes_the_worker_fence_itself(
    shop: Workshop, heartbeat: Heartbeat
) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)

    shop.line.is_away = True
    await shop.pass_time(59.9)
    assert not grip.lost.is_set()
    await shop.pass_time(0.1)

    assert grip.lost.is_set()
    assert grip.cancel.reason is StopReason.FENCED
    item = grip.item
    assert shop.journal.of(AttemptFenced) == [
        AttemptFenced(item.id, item.kind, item.attempt, by=FencedBy.WATCHDOG)
    ]


async def test_a_beat_that_never_ends_does_not_keep_the_watchdog_from_its_work(
    shop: Workshop, heartbeat: Heartbeat
) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)

    shop.line.holds["heartbeat"] = asyncio.Event()
    await shop.pass_time(60)

    assert grip.lost_by is FencedBy.WATCHDOG


async def test_the_lease_is_counted_from_before_the_beat_was_sent(
    shop: Workshop, heartbeat: Heartbeat
) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)

    first = shop.line.holds["heartbeat"] = asyncio.Event()
    await shop.pass_time(32)
    shop.line.holds["heartbeat"] = asyncio.Event()
    first.set()
    await settled()

    # Sent at 2 s and answered at 32 s: the store's lease may have begun at any time in between (R9).
    assert grip.until == timedelta(seconds=62)


async def test_a_process_that_stood_still_past_its_lease_sends_nothing_when_it_goes_on(
    shop: Workshop, heartbeat: Heartbeat
) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)
    await shop.pass_time(4)
    before = await shop.look_at(grip.item.id)

    shop.clock.advance(timedelta(seconds=61))
    await settled()

    assert grip.lost_by is FencedBy.WATCHDOG
    assert shop.line.calls["heartbeat"] == 2
    assert await shop.look_at(grip.item.id) == before


async def test_letting_go_waits_for_a_beat_that_is_under_way_and_lets_none_follow(
    shop: Workshop, heartbeat: Heartbeat
) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)
    shop.line.holds["heartbeat"] = asyncio.Event()
    await shop.pass_time(2)

    letting_go = asyncio.create_task(heartbeat.let_go(grip))
    await settled()
    assert not letting_go.done()
    shop.line.holds["heartbeat"].set()
    await letting_go
    await shop.pass_time(30)

    assert shop.line.calls["heartbeat"] == 1


async def test_a_beat_that_was_about_to_be_sent_is_not_sent_for_what_was_let_go_meanwhile(
    shop: Workshop,
) -> None:
    asked_for = []

    class Meanwhile:
        """As the first item is beaten for, the control loop lets the second go."""

        async def heartbeat(self, item: WorkItemId, _: Beat) -> LeaseExtended:
            asked_for.append(item)
            with pytest.raises(StopIteration):
                heartbeat.let_go(second).send(None)
            return LeaseExtended()

    heartbeat = Heartbeat(Meanwhile(), InlineLane(), shop.clock, shop.journal, OPTIONS)
    first, second = await a_grip(shop), await a_grip(shop)
    heartbeat.begin()
    heartbeat.hold(first)
    heartbeat.hold(second)

    await shop.pass_time(2)

    assert asked_for == [first.item.id]
    heartbeat.end()


async def test_an_item_that_was_let_go_is_not_fenced_by_a_late_answer_it_did_not_wait_for(
    shop: Workshop, heartbeat: Heartbeat
) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)
    await heartbeat.let_go(grip)
    await shop.store.finish(grip.item.id, a_failure(grip.item.attempt))

    await shop.pass_time(10)

    assert shop.line.calls["heartbeat"] == 0
    assert shop.journal.entries == []


async def test_one_more_beat_renews_what_was_let_go(shop: Workshop, heartbeat: Heartbeat) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)
    await shop.pass_time(30)
    await heartbeat.let_go(grip)

    await heartbeat.renew(grip)

    assert grip.until == timedelta(seconds=90)


async def test_a_fence_that_answers_a_renewal_says_nothing(shop: Workshop, heartbeat: Heartbeat) -> None:
    grip = await a_grip(shop)
    await shop.store.finish(grip.item.id, a_failure(grip.item.attempt))

    await heartbeat.renew(grip)

    assert heartbeat.still_holds(grip)
    assert grip.until == timedelta(seconds=60)


async def test_several_items_are_beaten_for_apart(shop: Workshop, heartbeat: Heartbeat) -> None:
    grips = [await a_grip(shop) for _ in range(3)]
    for grip in grips:
        heartbeat.hold(grip)

    await shop.store.finish(grips[1].item.id, a_failure(grips[1].item.attempt))
    await shop.pass_time(10)

    assert [grip.lost.is_set() for grip in grips] == [False, True, False]
    assert [(await shop.look_at(grip.item.id)).status for grip in grips] == [
        Status.RUNNING,
        Status.FAILED,
        Status.RUNNING,
    ]


async def test_a_beat_that_breaks_in_a_way_nobody_foresaw_is_followed_by_the_next(
    shop: Workshop, heartbeat: Heartbeat, monkeypatch: pytest.MonkeyPatch
) -> None:
    grip = await a_grip(shop)
    heartbeat.hold(grip)

    with monkeypatch.context() as broken:
        broken.setattr(shop.store, "heartbeat", None)
        await shop.pass_time(10)
    await shop.pass_time(2)

    assert grip.until == timedelta(seconds=72)
