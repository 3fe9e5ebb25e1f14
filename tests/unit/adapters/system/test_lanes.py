"""Lanes made of threads. What is waited for here is over at once; nothing sleeps."""

import asyncio
import threading
from collections.abc import Callable, Iterator

import pytest

from adapters.system.lanes import ThreadLane
from adapters.system.loops import new_loop
from application.ports.lanes import Raised, Returned

SOON = 10.0


@pytest.fixture(params=[asyncio.new_event_loop, new_loop], ids=["asyncio", "fastest"])
def lane(request: pytest.FixtureRequest) -> Iterator[ThreadLane]:
    lane = ThreadLane("lane", request.param)
    yield lane
    lane.close()


async def test_a_coroutine_runs_on_the_lanes_thread_and_brings_its_answer_home(lane: ThreadLane) -> None:
    async def name() -> str:
        return threading.current_thread().name

    assert await lane.start(name).end() == Returned("lane")


async def test_all_work_of_a_lane_shares_one_loop(lane: ThreadLane) -> None:
    async def loop() -> int:
        return id(asyncio.get_running_loop())

    first, second = await lane.start(loop).end(), await lane.start(loop).end()

    assert first == second
    assert first != Returned(id(asyncio.get_running_loop()))


async def test_a_plain_function_gets_a_thread_of_its_own(lane: ThreadLane) -> None:
    release = threading.Event()
    first = lane.start_blocking(lambda: release.wait(SOON))

    async def meanwhile() -> str:
        return "done"

    assert await lane.start(meanwhile).end() == Returned("done")
    assert not first.is_over
    release.set()

    assert await first.end() == Returned(value=True)


@pytest.mark.parametrize(
    "error", [ValueError("x"), SystemExit(3), KeyboardInterrupt(), GeneratorExit(), asyncio.CancelledError()]
)
async def test_whatever_is_raised_comes_home_and_the_lane_lives_on(
    lane: ThreadLane, error: BaseException
) -> None:
    async def fails() -> None:
        raise error

    def fails_too() -> None:
        raise error

    async def afterwards() -> str:
        return "alive"

    for end in (await lane.start(fails).end(), await lane.start_blocking(fails_too).end()):
        assert isinstance(end, Raised)
        assert type(end.error) is type(error)
    assert await lane.start(afterwards).end() == Returned("alive")


async def test_cancelling_reaches_the_coroutine_and_its_answer_counts(lane: ThreadLane) -> None:
    begun = threading.Event()

    async def tidies_up() -> str:
        try:
            begun.set()
            await asyncio.Future[None]()
        except asyncio.CancelledError:
            return "tidied up"
        raise AssertionError("not cancelled")

    errand = lane.start(tidies_up)
    assert begun.wait(SOON)
    errand.cancel()

    assert await errand.end() == Returned("tidied up")


async def test_work_that_is_cancelled_before_its_first_step_has_ended_too(lane: ThreadLane) -> None:
    entered, release = threading.Event(), threading.Event()

    async def blocks() -> None:
        entered.set()
        release.wait(SOON)

    async def never_begun() -> None:
        raise AssertionError("began after all")

    blocking = lane.start(blocks)
    assert entered.wait(SOON)
    errand = lane.start(never_begun)
    errand.cancel()
    release.set()

    end = await errand.end()
    assert isinstance(end, Raised)
    assert isinstance(end.error, asyncio.CancelledError)
    assert await blocking.end() == Returned(None)


async def test_whoever_stops_waiting_does_the_work_no_harm(lane: ThreadLane) -> None:
    release = threading.Event()
    errand = lane.start_blocking(lambda: release.wait(SOON))
    waiting = asyncio.create_task(errand.end())
    await asyncio.sleep(0)

    waiting.cancel()
    release.set()

    assert await errand.end() == Returned(value=True)
    assert waiting.cancelled()


async def test_a_coroutine_that_swallows_its_cancellation_keeps_nobody(lane: ThreadLane) -> None:
    begun = threading.Event()
    released = asyncio.Event()

    async def stubborn() -> str:
        begun.set()
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue
        return "at last"

    async def let_go() -> None:
        released.set()

    errand = lane.start(stubborn)
    assert begun.wait(SOON)
    errand.cancel()
    assert not errand.is_over

    await lane.start(let_go).end()
    assert await errand.end() == Returned("at last")


async def test_a_lane_that_closes_cancels_what_is_left_and_its_thread_ends() -> None:
    cancelled = threading.Event()
    begun = threading.Event()

    async def runs_on() -> None:
        try:
            begun.set()
            await asyncio.Future[None]()
        finally:
            cancelled.set()

    lane = ThreadLane("closing", new_loop)
    thread = next(one for one in threading.enumerate() if one.name == "closing")
    lane.start(runs_on)
    assert begun.wait(SOON)
    lane.close()

    assert cancelled.wait(SOON)
    thread.join(SOON)
    assert not thread.is_alive()


async def test_a_closed_lane_takes_a_cancel_and_another_close_for_granted() -> None:
    lane = ThreadLane("closed", new_loop)
    thread = next(one for one in threading.enumerate() if one.name == "closed")

    async def nothing() -> None:
        return None

    errand = lane.start(nothing)
    await errand.end()
    lane.close()
    thread.join(SOON)

    errand.cancel()
    lane.close()


def test_work_whose_home_is_gone_ends_without_a_sound() -> None:
    release = threading.Event()
    ended: list[Callable[[], bool]] = []

    async def starts_and_goes() -> None:
        lane = ThreadLane("orphaned", new_loop)
        lane.start_blocking(lambda: release.wait(SOON))
        blocking = next(one for one in threading.enumerate() if one.name == "orphaned-blocking")
        ended.append(blocking.is_alive)
        lane.close()

    asyncio.run(starts_and_goes())
    thread = next(one for one in threading.enumerate() if one.name == "orphaned-blocking")
    release.set()
    thread.join(SOON)

    assert not ended[0]()
