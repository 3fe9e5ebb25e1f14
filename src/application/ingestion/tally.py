"""Counts of one crawl. There is nothing in them that could name a file."""

from collections import Counter
from collections.abc import Mapping
from typing import assert_never

from application.ingestion.step import (
    Failed,
    FileOutcome,
    Moved,
    PassedOver,
    Returned,
    SetAside,
    Unchanged,
    Waiting,
)
from application.ports.media_library import Added, Replaced
from domain.media.failure import FailureReason


class Tally:
    """Grows while a crawl runs. In the end `found` equals `processed`.

    `found` is the total of all work once `walk_is_over`. `missing` counts assets, and no file that was found.
    """

    __slots__ = ("_counts", "_failed", "found", "missing", "walk_is_over")

    def __init__(self) -> None:
        """Start at nothing."""
        self.found = 0
        self.missing = 0
        self.walk_is_over = False
        self._counts: Counter[type[FileOutcome]] = Counter()
        self._failed: Counter[FailureReason] = Counter()

    @property
    def added(self) -> int:
        """New files."""
        return self._counts[Added]

    @property
    def replaced(self) -> int:
        """Files whose content, or whose proxies, were made anew."""
        return self._counts[Replaced]

    @property
    def unchanged(self) -> int:
        """Files that are what they were."""
        return self._counts[Unchanged]

    @property
    def moved(self) -> int:
        """Files that were elsewhere before."""
        return self._counts[Moved]

    @property
    def returned(self) -> int:
        """Files that had been gone."""
        return self._counts[Returned]

    @property
    def waiting(self) -> int:
        """Files that were too young."""
        return self._counts[Waiting]

    @property
    def passed_over(self) -> int:
        """What is nothing for a photo library."""
        return self._counts[PassedOver]

    @property
    def skipped(self) -> int:
        """Everything that nothing was done with."""
        return self.unchanged + self.waiting + self.passed_over

    @property
    def failed(self) -> int:
        """Files, and folders that could not be listed."""
        return self._failed.total()

    @property
    def failed_by_reason(self) -> Mapping[FailureReason, int]:
        """The same by reason; reasons that did not occur are absent."""
        return dict(+self._failed)

    @property
    def processed(self) -> int:
        """Everything that came to an outcome."""
        return self._counts.total() + self.failed

    def count(self, outcome: FileOutcome, times: int = 1) -> None:
        """Add what became of a file. One that is set aside has not come to its outcome yet."""
        match outcome:
            case SetAside():
                pass
            case Failed(reason):
                self._failed[reason] += times
            case Added() | Replaced() | Unchanged() | Returned() | Moved() | Waiting() | PassedOver():
                self._counts[type(outcome)] += times
            case _:
                assert_never(outcome)
