"""The change feed on PostgreSQL: what the cursor's snapshot could not see, and the one of the statement can."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self
from uuid import UUID

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.postgres_feed_statements import CHANGES, STANDING
from adapters.sql.rows import item_of
from adapters.sql.snapshots import Snapshot, SnapshotCursor, Span, Standing, lost, snapshot_cursor
from application.ports.change_feed import ChangeFeed
from application.ports.errors import StoreUnavailable
from domain.feed import Changes, Epoch, FeedAnswer, FeedCursor, NoCursor, Rest
from domain.ids import WorkItemId

Rows = Sequence[sa.Row[Any]]


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A change: everything up to it was told."""

    xid: int
    id: UUID


LAST_ID: Final = UUID(int=2**128 - 1)
TOP: Final = Place(0, LAST_ID)


@dataclass(frozen=True, slots=True)
class _Look:
    """What lies between two snapshots, and from which place on it is still to be told."""

    epoch: Epoch
    known: Snapshot
    seen: Snapshot
    told: Place = TOP

    @classmethod
    def of(cls, rest: Rest) -> Self:
        """The look that this is the rest of."""
        epoch, known, seen, xid, id_ = rest.split("|")
        return cls(Epoch(epoch), Snapshot.of(known), Snapshot.of(seen), Place(int(xid), UUID(id_)))

    def rest(self, told: Place) -> Rest:
        """What is left of it after this place."""
        return Rest(f"{self.epoch}|{self.known}|{self.seen}|{told.xid}|{told.id}")


class PostgresChangeFeed(ChangeFeed):
    """Waits for nobody, and nobody for it: a transaction that is left open hides its own changes and no others."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def here(self) -> FeedCursor:
        row = await self._database.read(lambda connection: connection.execute(STANDING).one())
        return standing_of(row).cursor

    async def since(self, cursor: FeedCursor, *, limit: int) -> FeedAnswer:
        asked = snapshot_cursor(cursor)
        if isinstance(asked, NoCursor):
            return asked
        rows = await self._rows(asked.snapshot.unseen(), None, TOP, limit)
        now = standing_of(rows[0])
        return lost(asked, now) or _told(_Look(now.epoch, asked.snapshot, now.snapshot), rows, limit)

    async def rest(self, rest: Rest, *, limit: int) -> Changes:
        look = _Look.of(rest)
        further = tuple(span for span in look.known.unseen() if span.high >= look.told.xid)
        rows = await self._rows(further, look.seen, look.told, limit)
        now = standing_of(rows[0])
        if lost(SnapshotCursor(look.epoch, look.known), now) is not None:
            raise StoreUnavailable("The look cannot be gone on with: begin again from its cursor.")
        return _told(look, rows, limit)

    async def _rows(self, spans: Sequence[Span], seen: Snapshot | None, told: Place, limit: int) -> Rows:
        # One more than asked for tells whether there is a rest.
        parameters = parameters_of(spans, seen, told, limit + 1)
        return await self._database.read(lambda connection: connection.execute(CHANGES, parameters).all())


def parameters_of(spans: Sequence[Span], seen: Snapshot | None, told: Place, limit: int) -> dict[str, Any]:
    """What `CHANGES` wants to know of a look."""
    starts = [max(Place(span.low - 1, LAST_ID), told) for span in spans]
    return {
        "after_xids": [str(place.xid) for place in starts],
        "after_ids": [place.id for place in starts],
        "highs": [str(span.high) for span in spans],
        "seen": None if seen is None else str(seen),
        "limit": limit,
    }


def standing_of(row: sa.Row[Any]) -> Standing:
    """How far the database was for the statement that this row came of."""
    return Standing(Epoch(row.feed_epoch), Snapshot.of(row.feed_snapshot), row.feed_purged)


def _told(look: _Look, rows: Rows, limit: int) -> Changes:
    found = [row for row in rows if row.found_id is not None]
    told = found[:limit]
    return Changes(
        items=tuple(item_of(row) for row in told if not row.is_gone),
        # One id may have gone more than once.
        removed=tuple(dict.fromkeys(WorkItemId(row.found_id) for row in told if row.is_gone)),
        cursor=SnapshotCursor(look.epoch, look.seen).text,
        rest=look.rest(Place(told[-1].found_at, told[-1].found_id)) if len(found) > limit else None,
    )
