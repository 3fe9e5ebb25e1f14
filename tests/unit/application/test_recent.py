"""One question however many ask."""

import asyncio
from datetime import timedelta

import pytest

from application.recent import Recent
from tests.support.clock import ManualClock

FRESH_FOR = timedelta(seconds=2)


class Question:
    """Answers how often it was asked, once it may."""

    def __init__(self) -> None:
        """Answer at once, and well."""
        self.asked = 0
        self.may_end = asyncio.Event()
        self.may_end.set()
        self.error: Exception | None = None

    async def __call__(self) -> int:
        self.asked += 1
        mine = self.asked
        await self.may_end.wait()
        if self.error is not None:
            raise self.error
        return mine


async def test_an_answer_will_do_for_a_moment() -> None:
    clock, question = ManualClock(), Question()
    recent = Recent(question, clock, fresh_for=FRESH_FOR)

    first = [await recent.value() for _ in range(5)]
    clock.advance(timedelta(milliseconds=1_999))
    still = await recent.value()
    clock.advance(timedelta(milliseconds=1))
    then = await recent.value()

    assert (first, still, then) == ([1, 1, 1, 1, 1], 1, 2)


async def test_all_who_ask_at_once_ask_once() -> None:
    question = Question()
    recent = Recent(question, ManualClock(), fresh_for=FRESH_FOR)

    assert await asyncio.gather(*(recent.value() for _ in range(50))) == [1] * 50


async def test_a_failure_is_told_to_all_who_waited_and_to_nobody_later() -> None:
    question = Question()
    question.error = RuntimeError("gone")
    recent = Recent(question, ManualClock(), fresh_for=FRESH_FOR)

    failed = await asyncio.gather(*(recent.value() for _ in range(3)), return_exceptions=True)
    question.error = None

    assert [str(error) for error in failed] == ["gone"] * 3
    assert await recent.value() == 2


async def test_one_who_stops_waiting_takes_the_answer_from_nobody() -> None:
    question = Question()
    question.may_end.clear()
    recent = Recent(question, ManualClock(), fresh_for=FRESH_FOR)
    leaving, staying = asyncio.create_task(recent.value()), asyncio.create_task(recent.value())
    await asyncio.sleep(0)

    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    question.may_end.set()

    assert await staying == 1
    assert question.asked == 1


async def test_a_glance_waits_for_nothing_and_shows_what_is_hardly_older() -> None:
    clock, question = ManualClock(), Question()
    recent = Recent(question, clock, fresh_for=FRESH_FOR)
    good_for = timedelta(seconds=10)

    nothing_yet = recent.glance(good_for=good_for)
    assert await recent.value() == 1
    clock.advance(timedelta(milliseconds=9_999))
    hardly_older = recent.glance(good_for=good_for)
    assert await recent.value() == 2
    clock.advance(timedelta(seconds=10))
    too_old = recent.glance(good_for=good_for)

    assert (nothing_yet, hardly_older, too_old) == (None, 1, None)
    assert await recent.value() == 3


async def test_glances_ask_once_in_a_while() -> None:
    question = Question()
    recent = Recent(question, ManualClock(), fresh_for=FRESH_FOR)

    for _ in range(10):
        recent.glance(good_for=timedelta(seconds=10))
        await recent.value()

    assert question.asked == 1
