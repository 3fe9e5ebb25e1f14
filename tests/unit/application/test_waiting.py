import asyncio
from datetime import timedelta

from application.waiting import Contact, Patience, first_of
from tests.support.clock import ManualClock, settled
from tests.support.ids import FixedChance


async def test_the_first_of_several_waits_ends_them_all() -> None:
    clock = ManualClock()
    never = asyncio.Event()
    waiting = asyncio.create_task(first_of(clock.sleep(timedelta(seconds=5)), never.wait()))

    await clock.run_for(timedelta(seconds=4))
    assert not waiting.done()
    await clock.run_for(timedelta(seconds=1))

    assert waiting.done()


async def test_cancelling_the_race_cancels_those_who_wait_in_it() -> None:
    clock = ManualClock()
    waiting = asyncio.create_task(first_of(clock.sleep(timedelta(seconds=5))))
    await settled()

    waiting.cancel()
    await settled()

    assert waiting.cancelled()
    assert clock.sleepers == 0


def test_patience_doubles_its_waits_up_to_half_a_minute() -> None:
    patience = Patience(ManualClock(), FixedChance(0.0))

    waits = [patience.after_failure().total_seconds() for _ in range(10)]

    assert waits == [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, 30]


def test_chance_takes_away_up_to_half_of_a_wait() -> None:
    patience = Patience(ManualClock(), FixedChance(0.5))

    waits = [patience.after_failure().total_seconds() for _ in range(9)]

    assert waits == [0.1875, 0.375, 0.75, 1.5, 3, 6, 12, 22.5, 22.5]


def test_an_answer_makes_the_next_wait_a_short_one() -> None:
    patience = Patience(ManualClock(), FixedChance(0.0))
    for _ in range(8):
        patience.after_failure()

    patience.restored()

    assert patience.after_failure() == timedelta(seconds=0.25)


def test_patience_outlasts_a_year_of_failures() -> None:
    patience = Patience(ManualClock(), FixedChance(0.0))

    waits = {patience.after_failure() for _ in range(10_000)}

    assert max(waits) == timedelta(seconds=30)


def test_contact_lasts_from_the_first_answer_after_a_silence() -> None:
    clock = ManualClock()
    contact = Contact(clock)
    assert not contact.lasts_for(timedelta())

    contact.made()
    clock.advance(timedelta(seconds=6))
    contact.made()
    assert contact.lasts_for(timedelta(seconds=6))

    contact.lost()
    contact.made()
    assert not contact.lasts_for(timedelta(seconds=1))
