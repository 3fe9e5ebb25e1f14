"""The change feed and lists on SQLite: some rows of each kind and status, then the merge, all of one instant."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.every_kind import EVERY_KIND
from adapters.sql.rows import item_of
from adapters.sql.tables import change_feed, work_item_tombstones, work_items
from application.ports.change_feed import ChangeFeed
from application.ports.errors import StoreUnavailable
from domain.counted_cursor import Count, CountedCursor, CountedRest, judged, rest_from
from domain.feed import Changes, CursorLost, Epoch, FeedAnswer, FeedCursor, NoCursor, Rest
from domain.ids import WorkItemId
from domain.work_item import Status

STANDING: Final = sa.select(change_feed.c.epoch, change_feed.c.newest, change_feed.c.purged)

# Every kind that there is, be it known or not: one search of an index each. As it is stored: a hand may have put
# there what is no text, or cannot be decoded, and decoded it would not be found again.
KINDS: Final = sa.text(f"""
    WITH RECURSIVE {EVERY_KIND}
    SELECT CAST(name AS BLOB) AS stored, typeof(name) = 'text' AS is_text FROM kind WHERE name IS NOT NULL
""").columns(stored=sa.LargeBinary, is_text=sa.Boolean)  # noqa: S608 -- made of this project's own words

_stored: Final = sa.bindparam("kind", type_=sa.LargeBinary)
OF_A_GROUP: Final = (
    work_items.c.kind == sa.case((sa.bindparam("is_text"), sa.cast(_stored, sa.Text)), else_=_stored),
    work_items.c.status == sa.bindparam("status"),
)

_place: Final = work_items.c.change_xid
NEXT_OF_A_GROUP: Final = (
    sa.select(_place, work_items.c.id, sa.false().label("is_gone"))
    .where(*OF_A_GROUP)
    .where(_place > sa.bindparam("told"), _place <= sa.bindparam("seen"))
    .order_by(_place)
    .limit(sa.bindparam("limit"))
)
_grave: Final = work_item_tombstones.c.change_xid
NEXT_GONE: Final = (
    sa.select(_grave, work_item_tombstones.c.id, sa.true().label("is_gone"))
    .where(_grave > sa.bindparam("told"), _grave <= sa.bindparam("seen"))
    # One that came back under its old id is not gone.
    .where(~sa.exists().where(work_items.c.id == work_item_tombstones.c.id))
    .order_by(_grave)
    .limit(sa.bindparam("limit"))
)
BY_ID: Final = sa.select(work_items).where(work_items.c.id.in_(sa.bindparam("ids", expanding=True)))


@dataclass(frozen=True, slots=True, order=True)
class _Change:
    position: int
    id: UUID
    is_gone: bool


@dataclass(frozen=True, slots=True)
class Group:
    """The items of one kind, as it is stored, and one status."""

    kind: bytes
    is_text: bool
    status: Status

    @property
    def parameters(self) -> dict[str, object]:
        """What `OF_A_GROUP` wants to know."""
        return {"kind": self.kind, "is_text": self.is_text, "status": self.status.value}


class SqliteChangeFeed(ChangeFeed):
    """Whoever writes is alone, so that the numbers of the changes are the order of the commits."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def here(self) -> FeedCursor:
        return (await self._database.read(count_of)).cursor

    async def since(self, cursor: FeedCursor, *, limit: int) -> FeedAnswer:
        return await self._database.read(lambda connection: _since(connection, cursor, limit))

    async def rest(self, rest: Rest, *, limit: int) -> Changes:
        return await self._database.read(lambda connection: _rest(connection, rest_from(rest), limit))


@contextmanager
def one_instant(connection: sa.Connection) -> Iterator[None]:
    """All statements of the block see the database as it is when the first one reads."""
    connection.exec_driver_sql("BEGIN")
    try:
        yield
    finally:
        connection.exec_driver_sql("ROLLBACK")


def count_of(connection: sa.Connection) -> Count:
    """How far the database has counted."""
    row = connection.execute(STANDING).one()
    return Count(Epoch(row.epoch), row.newest, row.purged)


def groups(connection: sa.Connection) -> Iterator[Group]:
    """Each kind that there is, with each status."""
    for kind in connection.execute(KINDS).all():
        for status in Status:
            yield Group(kind.stored, kind.is_text, status)


def rows_of(connection: sa.Connection, ids: Sequence[UUID]) -> dict[UUID, sa.Row[Any]]:
    """The rows of these items, by their ids."""
    return {row.id: row for row in connection.execute(BY_ID, {"ids": ids})}


def _since(connection: sa.Connection, cursor: FeedCursor, limit: int) -> FeedAnswer:
    with one_instant(connection):
        count = count_of(connection)
        match judged(cursor, count):
            case CountedCursor(number=known):
                return _look(connection, CountedRest(count.epoch, seen=count.newest, told=known), limit)
            case CursorLost() | NoCursor() as lost:
                return lost


def _rest(connection: sa.Connection, left: CountedRest, limit: int) -> Changes:
    with one_instant(connection):
        count = count_of(connection)
        if not left.is_readable(count):
            raise StoreUnavailable("The look cannot be gone on with: begin again from its cursor.")
        return _look(connection, left, limit)


def _look(connection: sa.Connection, left: CountedRest, limit: int) -> Changes:
    found = _changes(connection, left, limit + 1) if left.told < left.seen else []
    told = found[:limit]
    rows = rows_of(connection, [change.id for change in told if not change.is_gone])
    rest = CountedRest(left.epoch, left.seen, told[-1].position) if len(found) > limit else None
    return Changes(
        items=tuple(item_of(rows[change.id]) for change in told if not change.is_gone),
        removed=tuple(dict.fromkeys(WorkItemId(change.id) for change in told if change.is_gone)),
        cursor=CountedCursor(left.epoch, left.seen).text,
        rest=None if rest is None else rest.text,
    )


def _changes(connection: sa.Connection, left: CountedRest, limit: int) -> list[_Change]:
    bounds = {"told": left.told, "seen": left.seen, "limit": limit}
    found = [_Change(*row) for row in connection.execute(NEXT_GONE, bounds)]
    for group in groups(connection):
        rows = connection.execute(NEXT_OF_A_GROUP, {**group.parameters, **bounds})
        found += [_Change(*row) for row in rows]
    return sorted(found)[:limit]
