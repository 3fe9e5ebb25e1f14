"""Running work again when another transaction got in its way."""

from collections.abc import Callable
from itertools import count
from typing import Final, TypeVar

from adapters.sql.errors import is_conflict

T = TypeVar("T")

TRIES: Final = 10


def retried(once: Callable[[], T], undo: Callable[[], None]) -> T:
    """The answer of `once`, undone whenever it fails, and run again at once while that may help."""
    for tries in count(1):
        try:
            return once()
        except BaseException as error:
            undo()
            if tries == TRIES or not is_conflict(error):
                raise
    raise AssertionError("the loop above has no other end")
