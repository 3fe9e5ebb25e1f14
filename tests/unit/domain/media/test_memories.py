from datetime import date

import pytest

from domain.media.memories import DayOfYear, day_of_year, days_remembered


def test_a_day_is_written_as_month_and_day() -> None:
    assert day_of_year("07-08") == DayOfYear(7, 8)
    assert day_of_year("2-29") == DayOfYear(2, 29)
    assert str(DayOfYear(2, 9)) == "02-09"


@pytest.mark.parametrize(
    "text", ["", "07", "07-08-09", "02-30", "13-01", "00-01", "a-b", "07-\u0661", "2020-07", " 7- 8"]
)
def test_what_is_no_day_of_any_year_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        day_of_year(text)


def test_the_leap_day_is_remembered_on_the_day_before_where_there_is_none() -> None:
    assert days_remembered(date(2026, 2, 28)) == (DayOfYear(2, 28), DayOfYear(2, 29))
    assert days_remembered(date(2028, 2, 28)) == (DayOfYear(2, 28),)
    assert days_remembered(date(2028, 2, 29)) == (DayOfYear(2, 29),)
    assert days_remembered(date(2026, 3, 1)) == (DayOfYear(3, 1),)
