"""A file that could not be taken in, as it is remembered: so that it is not decoded again on each crawl."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from domain.media.failure import FailureReason
from domain.media.file import FoundFile, RelativePath

PASSING: Final = frozenset({FailureReason.VANISHED, FailureReason.CHANGED_WHILE_READ})
"""Not remembered at all: the next crawl finds another file there, or none."""

OF_SURROUNDINGS: Final = frozenset(
    {
        FailureReason.UNREADABLE,
        FailureReason.UNREADABLE_FOLDER,
        FailureReason.NOT_REGULAR,
        FailureReason.NO_ANSWER,
        FailureReason.INTERNAL,
    }
)
"""Remembered, but tried again on each crawl: they may end without any change of the file."""


@dataclass(frozen=True, slots=True)
class FailedFile:
    """Where, why, and which file it was. A folder's path ends in a slash, and its size is 0."""

    path: RelativePath
    reason: FailureReason
    size: int = 0
    mtime_ns: int = 0

    def spares(self, file: FoundFile) -> bool:
        """Whether the same file would only fail again for the same reason."""
        same = (self.size, self.mtime_ns) == (file.signature.size, file.signature.mtime_ns)
        return same and self.reason not in OF_SURROUNDINGS


@dataclass(frozen=True, slots=True)
class RememberedFailure:
    """The same with when it failed first, and when it was last tried."""

    failed: FailedFile
    first_seen_at: datetime
    last_seen_at: datetime
