from datetime import timedelta

from adapters.memory.change_feed import MemoryChangeFeed
from application.handlers.retention import WorkItemRetentionHandler
from application.handling import Run, Stopped, StopReason
from domain.attempt import RunId
from domain.feed import Changes, CursorLost
from domain.ids import Attempt, WorkItemId
from domain.kinds.retention import WorkItemRetentionPayload, WorkItemRetentionResult
from domain.progress import Progress
from tests.support.builders import a_new_item, a_success, an_id, claimed, enqueued
from tests.support.reading import everything
from tests.support.workers import Workshop

MONTH = timedelta(days=30)


def a_run() -> Run[WorkItemRetentionPayload]:
    return Run(RunId(an_id(), Attempt(1)), WorkItemRetentionPayload())


async def finished(shop: Workshop, *, dedup_key: str | None = None) -> WorkItemId:
    item = await enqueued(shop.store, a_new_item(dedup_key=dedup_key))
    await shop.store.finish(item, a_success((await claimed(shop.store)).attempt))
    return item


async def test_old_finished_items_go_and_everything_else_stays() -> None:
    shop = Workshop()
    for _ in range(3):
        await finished(shop)
    newest_of_its_key = await finished(shop, dedup_key="token-cleanup")
    shop.clock.advance(MONTH + timedelta(seconds=1))
    recent, waiting = await finished(shop), await shop.a_probe()
    run = a_run()

    result = await WorkItemRetentionHandler(shop.store, keep_for=MONTH).handle(run)

    assert result == WorkItemRetentionResult(3)
    assert (await everything(shop.store)).keys() == {newest_of_its_key, recent, waiting}
    assert run.progress.latest == Progress(3)


async def test_a_second_run_converges() -> None:
    shop = Workshop()
    await finished(shop)
    shop.clock.advance(2 * MONTH)
    handler = WorkItemRetentionHandler(shop.store, keep_for=MONTH)
    await handler.handle(a_run())

    assert await handler.handle(a_run()) == WorkItemRetentionResult(0)
    assert await everything(shop.store) == {}


async def test_it_stops_between_batches_when_asked_to_and_another_run_does_the_rest() -> None:
    shop = Workshop()
    for _ in range(1_001):
        await finished(shop)
    shop.clock.advance(2 * MONTH)
    handler = WorkItemRetentionHandler(shop.store, keep_for=MONTH)
    run = a_run()
    run.cancel.request(StopReason.CANCEL_REQUESTED)

    assert await handler.handle(run) == Stopped(WorkItemRetentionResult(1_000))
    assert await handler.handle(a_run()) == WorkItemRetentionResult(1)


async def test_that_items_went_is_remembered_for_a_week() -> None:
    shop = Workshop()
    feed = MemoryChangeFeed(shop.database)
    await finished(shop)
    shop.clock.advance(2 * MONTH)
    before = await feed.here()
    handler = WorkItemRetentionHandler(shop.store, keep_for=MONTH)
    await handler.handle(a_run())

    shop.clock.advance(timedelta(days=7))
    await handler.handle(a_run())
    assert isinstance(await feed.since(before, limit=10), Changes)

    shop.clock.advance(timedelta(seconds=1))
    await handler.handle(a_run())
    assert isinstance(await feed.since(before, limit=10), CursorLost)
