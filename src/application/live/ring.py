"""The latest batches of frames, ready to be sent: memory does not grow with those who listen."""

from collections import deque
from dataclasses import dataclass
from typing import NewType

from domain.feed import FeedCursor

Position = NewType("Position", int)
"""The number of the batch that somebody wants next. All that a subscriber owns of the ring."""


@dataclass(frozen=True, slots=True)
class Batch:
    """All that one look told, in pieces of whole frames. Whoever knew `start` knows `end` afterwards."""

    pieces: tuple[bytes, ...]
    start: FeedCursor
    end: FeedCursor

    @property
    def size_bytes(self) -> int:
        """How much memory its frames take."""
        return sum(map(len, self.pieces))


@dataclass(frozen=True, slots=True)
class UpToDate:
    """There is no later batch yet."""


@dataclass(frozen=True, slots=True)
class Overtaken:
    """The batch is not kept any more."""


class Ring:
    """Batches without a gap between them: each starts where the one before ends.

    A look that finds nothing moves nothing, so a client at the end is still at the end after a quiet night.
    """

    def __init__(self, cursor: FeedCursor, *, most_batches: int, most_bytes: int) -> None:
        """Keep nothing yet; the first batch will start at `cursor`."""
        self.cursor = cursor
        self._most_batches = most_batches
        self._most_bytes = most_bytes
        self._batches: deque[Batch] = deque()
        self._end = 0
        self._size_bytes = 0

    @property
    def end(self) -> Position:
        """Where the next batch will be."""
        return Position(self._end)

    @property
    def size_bytes(self) -> int:
        """How much memory the kept frames take."""
        return self._size_bytes

    def append(self, pieces: tuple[bytes, ...], cursor: FeedCursor) -> None:
        """Add what leads from the latest cursor to this one, and forget the oldest where it is too much."""
        batch = Batch(pieces, self.cursor, cursor)
        self._batches.append(batch)
        self._size_bytes += batch.size_bytes
        self._end += 1
        self.cursor = cursor
        while len(self._batches) > self._most_batches or self._size_bytes > self._most_bytes:
            self._size_bytes -= self._batches.popleft().size_bytes

    def restart(self, cursor: FeedCursor) -> None:
        """Forget everything, and start again from this cursor. Whoever is at an old position is overtaken."""
        self._batches.clear()
        self._size_bytes = 0
        self._end += 1
        self.cursor = cursor

    def position_of(self, cursor: FeedCursor) -> Position | None:
        """Where somebody goes on who knows this cursor; None where the ring does not know it."""
        first = self._end - len(self._batches)
        for number, batch in enumerate(self._batches, first):
            if batch.start == cursor:
                return Position(number)
        return self.end if cursor == self.cursor else None

    def at(self, position: Position) -> Batch | UpToDate | Overtaken:
        """The batch at this position."""
        if position == self._end:
            return UpToDate()
        index = position - self._end + len(self._batches)
        return Overtaken() if index < 0 else self._batches[index]
