"""PostgreSQL's snapshots as cursors: whatever a snapshot could not see is new to whoever holds it."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Self

from adapters.sql.positions import LARGEST
from domain.feed import CursorLost, Epoch, FeedCursor, Lost, NoCursor

LONGEST: Final = 120
# So many digits always fit into a transaction's number.
PATTERN: Final = re.compile(
    r"(?P<epoch>[0-9a-z]{8})\.(?P<xmin>[0-9]{1,18})\.(?P<xmax>[0-9]{1,18})"
    r"(\.(?P<open>[0-9]{1,18}(-[0-9]{1,18})*))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Span:
    """The transactions from `low` to `high`, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Sees each transaction below `xmax` but the `open` ones, in ascending order; `xmin` is the first it misses."""

    xmin: int
    xmax: int
    open: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str) -> Self:
        """The snapshot as PostgreSQL writes it."""
        xmin, xmax, open_ = text.split(":")
        return cls(int(xmin), int(xmax), tuple(int(xid) for xid in open_.split(",") if xid))

    def __str__(self) -> str:
        return f"{self.xmin}:{self.xmax}:{','.join(map(str, self.open))}"

    def sees(self, xid: int) -> bool:
        """Whether what this transaction did is visible, if it committed."""
        return xid < self.xmax and xid not in self.open

    def unseen(self) -> tuple[Span, ...]:
        """Everything that it does not see, in ascending order."""
        return (*(Span(xid, xid) for xid in self.open), Span(self.xmax, LARGEST))


@dataclass(frozen=True, slots=True)
class SnapshotCursor:
    """Whatever the snapshot sees is known."""

    epoch: Epoch
    snapshot: Snapshot

    @property
    def text(self) -> FeedCursor:
        """The cursor as everybody else carries it; of bounded length, however many transactions are open.

        Those that find no room, and all after them, are taken for unseen: so some of what is known will be told
        again, and nothing left out.
        """
        text = _text(self.epoch, self.snapshot)
        return FeedCursor(text if len(text) <= LONGEST else _shortened(self.epoch, self.snapshot))


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a database is: its snapshot, and the highest number of a transaction whose tombstones were purged."""

    epoch: Epoch
    snapshot: Snapshot
    purged: int

    @property
    def cursor(self) -> FeedCursor:
        """The cursor of somebody who knows everything."""
        return SnapshotCursor(self.epoch, self.snapshot).text


def snapshot_cursor(text: str) -> SnapshotCursor | NoCursor:
    """What the text says, if it is one."""
    found = PATTERN.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        return NoCursor()
    xmin, xmax = int(found["xmin"]), int(found["xmax"])
    open_ = tuple(xmin + int(offset) for offset in (found["open"] or "").split("-") if offset)
    is_ascending = all(one < other for one, other in pairwise((*open_, xmax)))
    if not 0 < xmin <= xmax or not is_ascending:
        return NoCursor()
    return SnapshotCursor(Epoch(found["epoch"]), Snapshot(xmin, xmax, open_))


def lost(cursor: SnapshotCursor, now: Standing) -> CursorLost | None:
    """Why the cursor is of no use to the database any more; None if it is."""
    why = _why_lost(cursor, now)
    return None if why is None else CursorLost(why, now.cursor)


def _why_lost(cursor: SnapshotCursor, now: Standing) -> Lost | None:
    before = cursor.snapshot
    if cursor.epoch != now.epoch:
        return Lost.EPOCH
    if before.xmax > now.snapshot.xmax:
        return Lost.INVALID
    # A transaction that is open still has written no tombstone that could have been purged.
    ended = (xid for xid in before.open if now.snapshot.sees(xid))
    is_forgotten = before.xmax <= now.purged or any(xid <= now.purged for xid in ended)
    return Lost.EXPIRED if is_forgotten else None


def _text(epoch: Epoch, snapshot: Snapshot) -> str:
    offsets = "-".join(str(xid - snapshot.xmin) for xid in snapshot.open)
    tail = f".{offsets}" if offsets else ""
    return f"{epoch}.{snapshot.xmin}.{snapshot.xmax}{tail}"


def _shortened(epoch: Epoch, snapshot: Snapshot) -> str:
    kept, text = 0, ""
    for kept in range(len(snapshot.open) - 1, -1, -1):
        lower = replace(snapshot, xmax=snapshot.open[kept], open=snapshot.open[:kept])
        text = _text(epoch, lower)
        if len(text) <= LONGEST:
            break
    return text
