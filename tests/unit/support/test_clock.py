"""The clock that tests stand on."""

import asyncio
import threading
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.clock import ManualClock, settled

SECOND = timedelta(seconds=1)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def test_time_stands_still_until_it_is_moved(clock: ManualClock) -> None:
    assert clock.now() == clock.now() == datetime(2025, 3, 1, 12, 0, tzinfo=UTC)

    clock.advance(90 * SECOND)

    assert clock.now() == datetime(2025, 3, 1, 12, 1, 30, tzinfo=UTC)
    assert clock.monotonic() == 90 * SECOND


async def test_sleepers_wake_in_the_order_of_their_instants(clock: ManualClock) -> None:
    woken: list[int] = []
    sleepers = [asyncio.create_task(sleeper(clock, seconds, woken)) for seconds in (3, 1, 2, 5)]
    await settled()
    assert clock.sleepers == 4

    clock.advance(4 * SECOND)
    await settled()

    assert woken == [1, 2, 3]
    assert clock.sleepers == 1
    clock.advance(SECOND)
    await asyncio.gather(*sleepers)
    assert woken == [1, 2, 3, 5]


async def test_letting_time_pass_wakes_each_at_its_own_instant(clock: ManualClock) -> None:
    beats: list[timedelta] = []

    async def beat() -> None:
        while True:
            await clock.sleep(2 * SECOND)
            beats.append(clock.monotonic())

    beating = asyncio.create_task(beat())
    await clock.run_for(7 * SECOND)
    beating.cancel()

    assert beats == [2 * SECOND, 4 * SECOND, 6 * SECOND]
    assert clock.monotonic() == 7 * SECOND


async def test_a_sleeper_that_gave_up_is_passed_over(clock: ManualClock) -> None:
    woken: list[int] = []
    given_up, waiting = [asyncio.create_task(sleeper(clock, 1, woken)) for _ in range(2)]
    await settled()
    given_up.cancel()
    await settled()

    clock.advance(SECOND)
    await waiting

    assert woken == [1]


async def test_no_time_at_all_is_not_waited_for(clock: ManualClock) -> None:
    await clock.sleep(timedelta())
    await clock.sleep(-SECOND)

    assert clock.sleepers == 0


async def test_a_sleeper_on_another_loop_is_woken_there(clock: ManualClock) -> None:
    woken: list[int] = []
    thread = threading.Thread(target=lambda: asyncio.run(sleeper(clock, 1, woken)))
    thread.start()
    while clock.sleepers == 0:
        await settled()

    clock.advance(SECOND)
    await asyncio.to_thread(thread.join, 10)

    assert woken == [1]


async def sleeper(clock: ManualClock, seconds: int, woken: list[int]) -> None:
    await clock.sleep(seconds * SECOND)
    woken.append(seconds)
