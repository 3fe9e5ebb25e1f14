"""Real worker processes on real databases: signals, crashes, and handlers without manners."""

import asyncio
import random
import signal
import time

import pytest

from domain.attempt import AttemptEnd
from domain.ids import WorkItemId
from domain.work_item import Cancelled, PartialResult, Running, Status, Succeeded, WorkItem
from tests.support.builders import a_new_item, enqueued
from tests.support.house import House
from tests.support.processes import Workers, eventually
from tests.support.reading import everything, state_of, stored

LEASE_SECONDS = 3
POLL_SECONDS = 0.25
GRACE_SECONDS = 3
STARTING_SECONDS = 5
"""What a machine with other things to do may need to start a process."""


async def a_probe(
    house: House,
    manners: str = "waits",
    seconds: float = 60,
    *,
    again: float | None = None,
    kind: str = "async-probe",
) -> WorkItemId:
    more = "" if again is None else f',"secondsAgain":{again}'
    payload = f'{{"manners":"{manners}","seconds":{seconds}{more}}}'
    return await enqueued(house.store, a_new_item(kind=kind, payload=payload))


async def look_at(house: House, item: WorkItemId) -> WorkItem:
    return await stored(house.store, item)


async def ends(house: House, item: WorkItemId) -> list[AttemptEnd]:
    return [ended.how for ended in await house.store.attempts(item)]


async def begun(house: House, item: WorkItemId, *, attempt: int = 1) -> None:
    """Wait until the item runs, and its handler has said so."""

    async def runs() -> bool:
        found = await look_at(house, item)
        return (
            found.attempt == attempt and isinstance(found.state, Running) and found.state.progress.done == 1
        )

    await eventually(runs, what=f"attempt {attempt} runs")


async def finished(house: House, item: WorkItemId, *, within: float = 30) -> float:
    async def is_over() -> bool:
        return (await look_at(house, item)).status is Status.SUCCEEDED

    return await eventually(is_over, what="it succeeded", within=within)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_in_the_middle_of_a_run_hands_the_item_back(
    house: House, workers: Workers, number: signal.Signals
) -> None:
    item = await a_probe(house)
    worker = workers.start()
    await begun(house, item)
    before = await look_at(house, item)

    worker.send(number)

    assert await worker.exit_code(within=GRACE_SECONDS) == 0
    found = await look_at(house, item)
    assert found.status is Status.QUEUED
    assert (found.attempt, found.stalls, found.retries) == (1, 0, 0)
    assert found.requested_at == before.requested_at
    assert await ends(house, item) == [AttemptEnd.RELEASED]
    assert [entry["itemId"] for entry in worker.log("finished")] == [str(item)]


@pytest.mark.parametrize(
    ("kind", "manners"),
    [
        ("async-probe", "swallows"),
        ("async-probe", "blocks"),
        ("async-probe", "spins"),
        ("plain-probe", "blocks"),
        ("plain-probe", "spins"),
    ],
)
async def test_a_handler_that_ignores_the_signal_keeps_its_worker_no_longer_than_the_grace(
    house: House, workers: Workers, kind: str, manners: str
) -> None:
    item = await a_probe(house, manners, kind=kind)
    worker = workers.start()
    await begun(house, item)

    began = time.monotonic()
    worker.send(signal.SIGTERM)

    assert await worker.exit_code(within=GRACE_SECONDS + 1) == 0
    assert time.monotonic() - began < GRACE_SECONDS
    found = await look_at(house, item)
    assert found.status is Status.QUEUED
    assert (found.attempt, found.stalls) == (1, 0)
    assert await ends(house, item) == [AttemptEnd.RELEASED]
    assert len(worker.log("handler left behind")) == 1


@pytest.mark.parametrize(
    ("kind", "manners"), [("async-probe", "swallows"), ("async-probe", "blocks"), ("plain-probe", "spins")]
)
async def test_a_second_signal_ends_the_process_at_once_and_hands_its_item_back(
    house: House, workers: Workers, kind: str, manners: str
) -> None:
    item = await a_probe(house, manners, kind=kind)
    worker = workers.start(WORKER__SHUTDOWN_GRACE_SECONDS="30")
    await begun(house, item)

    worker.send(signal.SIGTERM)
    await worker.told("worker leaving")
    worker.send(signal.SIGTERM)

    assert await worker.exit_code(within=1) == 128 + signal.SIGTERM
    assert (await look_at(house, item)).stalls == 0
    assert await ends(house, item) == [AttemptEnd.RELEASED]


@pytest.mark.parametrize(
    ("kind", "manners"),
    [("async-probe", "blocks"), ("async-probe", "spins"), ("plain-probe", "spins")],
)
async def test_a_handler_that_blocks_its_loop_for_three_leases_is_never_fenced(
    house: House, workers: Workers, kind: str, manners: str
) -> None:
    item = await a_probe(house, manners, 4.5, kind=kind)
    worker = workers.start(WORKER__LEASE_SECONDS="1.5")
    await begun(house, item)
    workers.start(WORKER__LEASE_SECONDS="1.5")

    await finished(house, item)

    found = await look_at(house, item)
    assert (found.attempt, found.stalls) == (1, 0)
    assert state_of(found, Succeeded).result == f'{{"pid":{worker.pid}}}'
    assert worker.log("fenced") == []


async def test_after_kill_9_another_worker_finishes_the_item(house: House, workers: Workers) -> None:
    item = await a_probe(house, again=0.5)
    victim = workers.start()
    await begun(house, item)
    rescuer = workers.start()
    await rescuer.told("worker arrived")

    victim.kill()
    took = await finished(house, item)

    found = await look_at(house, item)
    assert (found.attempt, found.stalls) == (2, 1)
    assert state_of(found, Succeeded).result == f'{{"pid":{rescuer.pid}}}'
    assert await ends(house, item) == [AttemptEnd.STALLED, AttemptEnd.SUCCEEDED]
    assert took < LEASE_SECONDS + 2 * POLL_SECONDS + 0.5 + 1
    assert [entry["itemId"] for entry in rescuer.log("recovered")] == [str(item)]


async def test_a_worker_that_stood_still_past_its_lease_writes_nothing_over_its_successor(
    house: House, workers: Workers
) -> None:
    item = await a_probe(house, again=2)
    sleeper = workers.start()
    await begun(house, item)
    await sleeper.stand_still()
    successor = workers.start()
    await begun(house, item, attempt=2)

    sleeper.send(signal.SIGCONT)
    await sleeper.told("fenced")
    await finished(house, item)

    found = await look_at(house, item)
    assert (found.attempt, found.stalls) == (2, 1)
    assert state_of(found, Succeeded).result == f'{{"pid":{successor.pid}}}'
    assert await ends(house, item) == [AttemptEnd.STALLED, AttemptEnd.SUCCEEDED]
    assert sleeper.log("finished") == []


async def test_a_worker_that_stood_still_past_its_lease_writes_nothing_even_if_nobody_came(
    house: House, workers: Workers
) -> None:
    item = await a_probe(house, "waits", 1)
    # Its own recovery would bring the item back at once; a long poll leaves time to look.
    sleeper = workers.start(WORKER__POLL_SECONDS="20")
    await begun(house, item)
    await sleeper.stand_still()
    await asyncio.sleep(LEASE_SECONDS + 0.5)
    before = await look_at(house, item)

    sleeper.send(signal.SIGCONT)
    await sleeper.told("fenced")
    # The handler's second is long over, so that its result was there the moment the process went on.
    await asyncio.sleep(1)

    assert await look_at(house, item) == before
    assert sleeper.log("finished") == []
    assert [entry["by"] for entry in sleeper.log("fenced")] == ["watchdog"]


async def test_signals_at_random_moments_leave_nothing_running_without_a_worker(
    house: House, workers: Workers
) -> None:
    dice = random.Random(25)  # noqa: S311 -- moments, no secrets
    for number in range(2_000):
        # Quick, but more of them together than 25 lives can do: there is always one to be in the middle of.
        await a_probe(house, "waits", 0.02 * (number % 3))

    async def one_life() -> int:
        worker = workers.start(WORKER__SLOTS="2")
        await worker.told("worker arrived")
        await asyncio.sleep(dice.uniform(0, 0.5))
        worker.send(signal.SIGTERM)
        return await worker.exit_code(within=GRACE_SECONDS + 1)

    codes: list[int] = []
    for _ in range(5):
        codes += await asyncio.gather(*(one_life() for _ in range(5)))

    assert codes == [0] * 25
    found = (await everything(house.store)).values()
    assert [item for item in found if isinstance(item.state, Running)] == []
    assert {item.status for item in found} == {Status.QUEUED, Status.SUCCEEDED}
    assert {item.stalls for item in found} == {0}


async def test_a_running_item_is_cancelled_within_a_beat_or_two(house: House, workers: Workers) -> None:
    item = await a_probe(house, "looks")
    worker = workers.start()
    await begun(house, item)

    await house.store.cancel(item)

    async def is_over() -> bool:
        return (await look_at(house, item)).status is Status.CANCELLED

    assert await eventually(is_over, what="it is cancelled") < 2
    left = state_of(await look_at(house, item), Cancelled).left
    assert isinstance(left, PartialResult)
    assert left.result == f'{{"pid":{worker.pid}}}'


async def test_once_works_off_what_is_ready_and_leaves_with_0(house: House, workers: Workers) -> None:
    items = [await a_probe(house, "waits", 0) for _ in range(20)]

    worker = workers.start("--once")

    assert await worker.exit_code() == 0
    assert [(await look_at(house, item)).status for item in items] == [Status.SUCCEEDED] * 20
    assert len(worker.log("claimed")) == 20
    assert len(worker.log("finished")) == 20


async def test_two_workers_never_run_the_same_attempt(house: House, workers: Workers) -> None:
    for _ in range(300):
        await a_probe(house, "waits", 0)

    both = [workers.start("--once", WORKER__SLOTS="3") for _ in range(2)]

    assert [await worker.exit_code() for worker in both] == [0, 0]
    claimed = [entry["itemId"] for worker in both for entry in worker.log("claimed")]
    assert len(claimed) == 300
    assert len(set(claimed)) == 300
    assert {item.attempt for item in (await everything(house.store)).values()} == {1}
