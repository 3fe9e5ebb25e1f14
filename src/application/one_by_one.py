"""Rows that are dealt with one at a time, so that a bad one never stops the others."""

from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import Final, Generic, TypeVar

from application.ports.errors import StoreUnavailable
from application.ports.journal import Journal, MachineFault

K = TypeVar("K", bound=Hashable)

FAILURES_IN_A_ROW: Final = 3
"""After so many calls that the store did not answer it is the store, not the row: the round ends."""


class OneByOne(Generic[K]):
    """Remembers which rows made trouble and takes them last, so that they never hide the others."""

    def __init__(self, part: str, journal: Journal) -> None:
        """Take the name of the part of the worker that faults are noted under."""
        self._part = part
        self._journal = journal
        self._troubled: set[K] = set()

    @property
    def troubled(self) -> frozenset[K]:
        """The rows that made trouble when they were last dealt with."""
        return frozenset(self._troubled)

    async def each(self, rows: Iterable[K], act: Callable[[K], Awaitable[None]]) -> None:
        """Deal with each row. Raises nothing; whatever `act` raises is noted, and tried again next time."""
        ordered = sorted(rows, key=self._troubled.__contains__)
        self._troubled.intersection_update(ordered)
        unanswered = 0
        for row in ordered:
            try:
                await act(row)
            except Exception as error:  # noqa: BLE001 -- whatever is wrong with one row, others follow
                self._troubled.add(row)
                self._journal.record(MachineFault(self._part, error))
                unanswered = unanswered + 1 if isinstance(error, StoreUnavailable) else 0
                if unanswered == FAILURES_IN_A_ROW:
                    return
            else:
                self._troubled.discard(row)
                unanswered = 0
