"""Counts of one crawl. There is nothing in them that could name a file."""

from collections import Counter
from collections.abc import Mapping
from typing import assert_never

from application.ingestion.step import Failed, FileOutcome, Unchanged
from application.ports.media_library import Added, Replaced
from domain.media.failure import FailureReason


class Tally:
    """Grows while a crawl runs. In the end `found` equals `processed`.

    `found` is the total of all work once `walk_is_over`.
    """

    __slots__ = ("_failed", "added", "found", "replaced", "unchanged", "walk_is_over")

    def __init__(self) -> None:
        """Start at nothing."""
        self.found = 0
        self.walk_is_over = False
        self.added = 0
        self.replaced = 0
        self.unchanged = 0
        self._failed: Counter[FailureReason] = Counter()

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
        return self.added + self.replaced + self.unchanged + self.failed

    def count(self, outcome: FileOutcome, times: int = 1) -> None:
        """Add what became of a file."""
        match outcome:
            case Added():
                self.added += times
            case Replaced():
                self.replaced += times
            case Unchanged():
                self.unchanged += times
            case Failed(reason):
                self._failed[reason] += times
            case _:
                assert_never(outcome)
