import os
import re
from datetime import UTC, datetime, timedelta

import pytest

from adapters.system.clock import SystemClock
from adapters.system.ids import RandomIds, SystemChance, worker_name


def test_the_clock_tells_the_time_in_utc() -> None:
    now = SystemClock().now()

    assert now.tzinfo is UTC
    assert abs(now - datetime.now(UTC)) < timedelta(seconds=5)


def test_the_monotonic_clock_does_not_go_back() -> None:
    clock = SystemClock()
    readings = [clock.monotonic() for _ in range(1_000)]

    assert readings == sorted(readings)


async def test_no_time_at_all_and_less_is_over_at_once() -> None:
    await SystemClock().sleep(timedelta())
    await SystemClock().sleep(timedelta(seconds=-5))


def test_ids_are_version_7_and_sort_by_their_making() -> None:
    ids = [RandomIds().next() for _ in range(1_000)]

    assert {made.version for made in ids} == {7}
    assert len(set(ids)) == 1_000
    assert ids == sorted(ids)


def test_chances_lie_between_0_and_1() -> None:
    chances = [SystemChance().random() for _ in range(1_000)]

    assert all(0 <= chance < 1 for chance in chances)
    assert len(set(chances)) == 1_000


@pytest.mark.parametrize(("user", "served"), [(None, "all"), ("ada", "ada"), ("", "all")])
def test_a_worker_is_called_after_whom_it_serves_its_host_and_its_process(
    user: str | None, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "nas-1")

    name = worker_name(user)

    assert re.fullmatch(rf"{served}@nas-1#{os.getpid()}-[0-9a-f]{{6}}", name)


def test_no_two_runs_of_one_process_are_called_the_same() -> None:
    assert len({worker_name("ada") for _ in range(100)}) == 100


def test_a_name_is_fit_for_every_store_and_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "h\x1b[31m" + "o" * 500)

    name = worker_name("a\0b\n" + "c" * 500)

    assert name.isprintable()
    assert len(name) < 160
