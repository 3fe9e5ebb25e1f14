"""When periodic work is due (S-10)."""

from datetime import datetime, timedelta
from typing import Final

import pytest

from domain.due import NEVER_SEEN, KeyHistory, is_due
from tests.support.clock import START

INTERVAL: Final = timedelta(hours=4)


@pytest.mark.parametrize(
    ("active", "last_finished_at", "due"),
    [
        (False, None, True),
        (True, None, False),
        (False, START - timedelta(days=400), True),
        (False, START - INTERVAL, True),
        (False, START - INTERVAL + timedelta(microseconds=1), False),
        (False, START, False),
        (False, START + INTERVAL, False),
        (True, START - timedelta(days=400), False),
        (True, START, False),
    ],
)
def test_work_is_due_when_none_is_under_way_and_the_last_is_an_interval_old(
    *, active: bool, last_finished_at: datetime | None, due: bool
) -> None:
    history = KeyHistory(active=active, last_finished_at=last_finished_at)

    assert is_due(INTERVAL, history, START) is due


def test_what_was_never_seen_is_due() -> None:
    assert is_due(INTERVAL, NEVER_SEEN, START)


def test_without_an_interval_work_is_due_as_soon_as_it_has_ended() -> None:
    assert is_due(timedelta(), KeyHistory(active=False, last_finished_at=START), START)
