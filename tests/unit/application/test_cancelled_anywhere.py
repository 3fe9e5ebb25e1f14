"""`CancelledError` is no `Exception`: at whichever await it comes, no row is left running."""

import asyncio

import pytest

from application.worker import Worker
from domain.work_item import Running, Status
from tests.support.clock import settled
from tests.support.probes import ProbeResult
from tests.support.reading import everything
from tests.support.workers import Workshop

TURNS = 160
"""Turns of the loop in which a worker arrives, polls, and works off what there is: each is tried."""


class Quick:
    """A handler with a few awaits of its own."""

    async def handle(self, _: object) -> ProbeResult:
        for _ in range(3):
            await asyncio.sleep(0)
        return ProbeResult()


async def a_worker_at_work(turns: int) -> tuple[Workshop, Worker, asyncio.Task[None]]:
    shop = Workshop()
    for _ in range(8):
        await shop.a_probe()
    worker = shop.worker(Quick(), options=shop.options(slots=2))
    working = asyncio.create_task(worker.run())
    for _ in range(turns):
        await asyncio.sleep(0)
    return shop, worker, working


async def assert_nothing_is_left_running(shop: Workshop) -> None:
    found = (await everything(shop.store)).values()
    assert [item for item in found if isinstance(item.state, Running)] == []
    assert {item.status for item in found} <= {Status.QUEUED, Status.SUCCEEDED}
    assert {item.stalls for item in found} == {0}


@pytest.mark.parametrize("turns", range(TURNS))
async def test_a_worker_that_is_cancelled_hands_everything_back(turns: int) -> None:
    shop, _, working = await a_worker_at_work(turns)

    working.cancel()
    await shop.pass_time(10)

    assert working.cancelled()
    await assert_nothing_is_left_running(shop)


@pytest.mark.parametrize("turns", range(TURNS))
async def test_even_if_every_task_of_the_loop_is_cancelled_everything_is_handed_back(turns: int) -> None:
    shop, _, working = await a_worker_at_work(turns)

    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    await shop.pass_time(10)

    assert working.done()
    await assert_nothing_is_left_running(shop)


@pytest.mark.parametrize("turns", range(TURNS))
async def test_a_worker_that_is_told_to_stop_hands_everything_back(turns: int) -> None:
    shop, worker, working = await a_worker_at_work(turns)

    worker.stop()
    await settled()

    assert working.done()
    await assert_nothing_is_left_running(shop)
