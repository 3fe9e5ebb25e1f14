"""On this day: which days of the calendar people mean by one."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final


@dataclass(frozen=True, slots=True, order=True)
class DayOfYear:
    """A month and a day of it. Raises `ValueError` for one that no year has."""

    month: int
    day: int

    def __post_init__(self) -> None:
        """A leap year has every day that there can be."""
        date(LEAP_YEAR, self.month, self.day)

    def __str__(self) -> str:
        """As it is typed: MM-DD."""
        return f"{self.month:02d}-{self.day:02d}"


LEAP_YEAR: Final = 2000
LEAP_DAY: Final = DayOfYear(2, 29)
MARCH: Final = 3


def days_remembered(today: date) -> tuple[DayOfYear, ...]:
    """The days whose pictures are those of today.

    In a year without a 29th of February its pictures come on the 28th: otherwise three years in four would
    never show them.
    """
    day = DayOfYear(today.month, today.day)
    if day == DayOfYear(2, 28) and (today + timedelta(days=1)).month == MARCH:
        return (day, LEAP_DAY)
    return (day,)


def day_of_year(text: str) -> DayOfYear:
    """The day that MM-DD means. Raises `ValueError` for anything else."""
    month, _, day = text.partition("-")
    if not (month + day).isascii() or not month.isdigit() or not day.isdigit() or len(text) > len("MM-DD"):
        raise ValueError("a day is written MM-DD, such as 02-29")
    return DayOfYear(int(month), int(day))
