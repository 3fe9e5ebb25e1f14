"""Whether and when a failure is tried again."""

from datetime import timedelta

import pytest

from domain.retry import Backoff, GiveUp, NoRetry, RetryAfter, next_try

SECOND = timedelta(seconds=1)


def test_by_default_nothing_is_tried_again() -> None:
    assert next_try(NoRetry(), 0, chance=0.5) == GiveUp()


@pytest.mark.parametrize(
    ("retries", "seconds"), [(0, 30), (1, 60), (2, 120), (3, 240), (4, 480), (5, 900), (6, 900), (60, 900)]
)
def test_waits_double_from_30_seconds_to_15_minutes(retries: int, seconds: int) -> None:
    assert next_try(Backoff(max_retries=99), retries, chance=0.0) == RetryAfter(seconds * SECOND)


@pytest.mark.parametrize(("chance", "seconds"), [(0.0, 30), (0.25, 28.5), (0.5, 27), (1.0, 24)])
def test_chance_shortens_a_wait_by_a_fifth_at_most(chance: float, seconds: float) -> None:
    assert next_try(Backoff(max_retries=1), 0, chance=chance) == RetryAfter(seconds * SECOND)


@pytest.mark.parametrize(("max_retries", "tries"), [(0, 0), (1, 1), (3, 3)])
def test_tries_run_out(max_retries: int, tries: int) -> None:
    answers = [next_try(Backoff(max_retries=max_retries), retries, chance=0.0) for retries in range(5)]

    assert [isinstance(answer, RetryAfter) for answer in answers] == [True] * tries + [False] * (5 - tries)


def test_a_huge_number_of_retries_does_not_overflow() -> None:
    assert Backoff(max_retries=10**9).wait_before(10**9, chance=0.0) == timedelta(minutes=15)


def test_a_kind_may_choose_its_own_waits() -> None:
    policy = Backoff(max_retries=3, first=2 * SECOND, longest=5 * SECOND, jitter=0.0)

    assert [policy.wait_before(retry, chance=0.9) for retry in (1, 2, 3)] == [
        2 * SECOND,
        4 * SECOND,
        5 * SECOND,
    ]
