from datetime import UTC, datetime, timedelta

import pytest

from domain.media.proxy_finding import DELETABLE, FindingKind, is_settled

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
INSTANT = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("age", "is_old_enough"),
    [(HOUR + INSTANT, True), (HOUR, False), (timedelta(), False), (-HOUR, False), (1_000 * HOUR, True)],
)
def test_only_what_is_older_than_an_hour_is_judged(age: timedelta, is_old_enough: bool) -> None:  # noqa: FBT001 -- pytest's way
    assert is_settled(NOW - age, now=NOW) is is_old_enough


def test_a_file_that_is_missing_cannot_be_deleted() -> None:
    assert frozenset(FindingKind) - DELETABLE == {FindingKind.MISSING_FILE}
