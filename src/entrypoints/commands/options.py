"""Options that many commands share."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

import rich_click as click

F = TypeVar("F", bound=Callable[..., Any])

LONGEST_SPAN = timedelta(days=365)
UNITS = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}


def json_option(command: F) -> F:
    """`--json`: the same data for programs."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print JSON, with the names that the web API uses."
    )(command)


def yes_option(command: F) -> F:
    """`--yes`: do not ask."""
    return click.option("--yes", is_flag=True, help="Do not ask, go ahead.")(command)


def wait_option(command: F) -> F:
    """`--wait`: stay until the work has ended."""
    return click.option(
        "--wait", is_flag=True, help="Follow it to its end (exit code 0 succeeded, 10 failed, 11 cancelled)."
    )(command)


class Span(click.ParamType[timedelta]):
    """A length of time such as 90s, 30m, 1h or 7d."""

    name = "span"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        """Read it."""
        text = str(value)
        unit, number = UNITS.get(text[-1:]), text[:-1]
        if unit is None or not number.isascii() or not number.isdigit():
            self.fail(f"{text!r} is no length of time such as 90s, 30m, 1h or 7d.", param, ctx)
        length = int(number[:9]) * unit
        if not timedelta() < length <= LONGEST_SPAN:
            self.fail(f"{text!r} must be more than nothing and at most {LONGEST_SPAN.days}d.", param, ctx)
        return length
