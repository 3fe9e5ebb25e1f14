"""What every store promises about the end of a run that is told twice, or too late."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest

from domain.events import RunEnd
from domain.ids import Attempt
from domain.outcomes import Fenced, Recorded
from domain.work_item import (
    Status,
)
from tests.support.builders import (
    ADA,
    a_failure,
    a_release,
    a_retry,
    a_stop,
    a_success,
    claimed,
)
from tests.support.house import House
from tests.support.moves import Arranged, stalled
from tests.support.reading import stored

ENDS: Final[dict[str, Callable[[Attempt], RunEnd]]] = {
    "success": a_success,
    "failure": a_failure,
    "retry": a_retry,
    "stop": a_stop,
    "release": a_release,
}


class RepeatedFinishContract:
    """An end told twice is recorded once (R15); one that is not the attempt's own is fenced."""

    @pytest.mark.parametrize("how", ENDS)
    async def test_a_finish_repeated_after_a_lost_reply_is_recorded(self, house: House, how: str) -> None:
        item = await Arranged(house).running()
        end = ENDS[how](item.attempt)
        await house.store.finish(item.id, end)
        after = await stored(house.store, item.id)

        assert await house.store.finish(item.id, end) == Recorded()
        assert await stored(house.store, item.id) == after

    @pytest.mark.parametrize("how", ["failure", "retry", "stop", "release"])
    async def test_so_is_one_that_ended_cancelled(self, house: House, how: str) -> None:
        item = await Arranged(house).asked_to_stop()
        end = ENDS[how](item.attempt)
        await house.store.finish(item.id, end)
        after = await stored(house.store, item.id)
        assert after.status is Status.CANCELLED

        assert await house.store.finish(item.id, end) == Recorded()
        assert await stored(house.store, item.id) == after

    @pytest.mark.parametrize("how", ["retry", "release"])
    async def test_so_is_one_whose_item_runs_again(self, house: House, how: str) -> None:
        item = await Arranged(house).running(by=ADA)
        await house.store.finish(item.id, ENDS[how](item.attempt))
        await house.age(timedelta(seconds=30))
        again = await claimed(house.store, by=ADA)

        assert await house.store.finish(item.id, ENDS[how](item.attempt)) == Recorded()
        assert await stored(house.store, item.id) == again

    @pytest.mark.parametrize("how", ENDS)
    async def test_an_end_that_comes_after_the_recovery_is_fenced(self, house: House, how: str) -> None:
        item = await Arranged(house).running()
        after = await stalled(house, item)

        assert await house.store.finish(item.id, ENDS[how](item.attempt)) == Fenced()
        assert await stored(house.store, item.id) == after

    @pytest.mark.parametrize(
        ("first", "second"),
        [
            ("success", ["failure", "retry", "stop", "release"]),
            ("failure", ["success", "retry", "stop", "release"]),
            ("retry", ["success", "failure", "stop", "release"]),
            ("stop", ["success", "failure", "retry"]),
            ("release", ["success", "failure", "retry", "stop"]),
        ],
    )
    async def test_another_end_of_an_attempt_that_has_ended_is_fenced(
        self, house: House, first: str, second: list[str]
    ) -> None:
        item = await Arranged(house).running()
        await house.store.finish(item.id, ENDS[first](item.attempt))
        after = await stored(house.store, item.id)

        answers = [await house.store.finish(item.id, ENDS[how](item.attempt)) for how in second]

        assert answers == [Fenced()] * len(second)
        assert await stored(house.store, item.id) == after

    async def test_another_failure_of_an_attempt_that_failed_is_fenced(self, house: House) -> None:
        item = await Arranged(house).failed()

        answer = await house.store.finish(item.id, a_failure(item.attempt, code="root-suspicious"))

        assert answer == Fenced()
        assert await stored(house.store, item.id) == item
