"""How finished items leave, in SQL."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.positions import Position
from adapters.sql.sweep_tables import proxy_sweep_findings
from adapters.sql.tables import change_feed, work_item_tombstones, work_items
from adapters.sql.types import Instant

WINDOW: Final = 10_000
"""How many finished items one transaction looks at: however many of them have to stay, it is a short one."""

FINDINGS: Final = 20_000
"""How many findings of sweeps one transaction deletes at most: a sweep may have millions of them."""

ORDER: Final = (work_items.c.finished_at, work_items.c.id)
GRAVE_ORDER: Final = (work_item_tombstones.c.change_xid, work_item_tombstones.c.id)


@dataclass(frozen=True, slots=True, order=True)
class _Place:
    """Where an item stands among the finished ones."""

    finished_at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class _Swept:
    """So many were deleted, and everything up to this place was looked at; None is the end."""

    gone: int
    to: _Place | None


class SqlFinishedWork:
    """Sweeps from the oldest to the youngest that may leave, and remembers how far it came.

    Otherwise each call would look again at all those that have to stay before it found one that may go.
    """

    _swept_to: _Place | None = None

    def __init__(self, database: Database) -> None:
        self._database = database

    async def purge(self, *, older_than: timedelta, limit: int) -> int:
        """In short transactions, as many as it takes to find `limit` of them, or to know that there are fewer."""
        gone, place = 0, self._swept_to
        is_last_round = place is None
        while gone < limit:
            swept = await self._sweep(older_than, place, limit - gone)
            gone, place = gone + swept.gone, swept.to
            if place is None and is_last_round:
                break
            # What was passed over on the way here may have been outlived since.
            is_last_round |= place is None
        self._swept_to = place
        return gone

    async def purge_tombstones(self, *, older_than: timedelta, limit: int) -> int:
        """In one short transaction, which also says how far it came: whoever knows less must read anew."""
        dialect = self._database.dialect
        old = work_item_tombstones.c.deleted_at < dialect.later(dialect.as_of, -older_than)
        return await self._database.write(lambda connection: _forget(connection, old, limit))

    async def _sweep(self, older_than: timedelta, start: _Place | None, limit: int) -> _Swept:
        dialect = self._database.dialect
        old = work_items.c.finished_at < dialect.later(dialect.as_of, -older_than)
        old_and_further = old if start is None else old & (_place() > _here(start))
        # Ahead of their sweep: with it they could be too many for one transaction, and nothing would ever leave.
        while await self._database.write(lambda connection: _thin_out(connection, old_and_further, limit)):
            continue
        return await self._database.write(lambda connection: _sweep(connection, old_and_further, limit))


def _forget(connection: sa.Connection, old: sa.ColumnElement[bool], limit: int) -> int:
    last = connection.execute(
        sa.select(*GRAVE_ORDER).order_by(*GRAVE_ORDER).offset(limit - 1).limit(1)
    ).one_or_none()
    if last is not None:
        here = sa.tuple_(sa.literal(last.change_xid, Position()), sa.literal(last.id, sa.Uuid()))
        old &= sa.tuple_(*GRAVE_ORDER) <= here
    delete = sa.delete(work_item_tombstones).where(old).returning(work_item_tombstones.c.change_xid)
    gone = connection.execute(delete).scalars().all()
    if gone:
        purged = sa.literal(max(gone), Position())
        further = sa.update(change_feed).where(change_feed.c.purged < purged).values(purged=purged)
        connection.execute(further)
    return len(gone)


def _sweep(connection: sa.Connection, which: sa.ColumnElement[bool], limit: int) -> _Swept:
    window, end = _window(connection, which)
    leaving = _leaving(window, limit)
    delete = sa.delete(work_items).where(work_items.c.id.in_(sa.select(leaving.c.id))).returning(*ORDER)
    rows = connection.execute(delete).all()
    gone = sorted(_Place(row.finished_at, row.id) for row in rows)
    return _Swept(len(gone), gone[-1] if len(gone) == limit else end)


def _thin_out(connection: sa.Connection, which: sa.ColumnElement[bool], limit: int) -> bool:
    """Delete some findings of one sweep that is about to leave; whether there were any."""
    window, _ = _window(connection, which)
    found = proxy_sweep_findings.c
    of_leaving = found.work_item_id.in_(sa.select(_leaving(window, limit).c.id))
    run = connection.execute(sa.select(found.work_item_id, found.attempt).where(of_leaving).limit(1)).first()
    if run is None:
        return False
    of_run = (found.work_item_id == run.work_item_id) & (found.attempt == run.attempt)
    first = sa.select(sa.func.min(found.number)).where(of_run).scalar_subquery()
    connection.execute(sa.delete(proxy_sweep_findings).where(of_run, found.number < first + FINDINGS))
    return True


def _window(
    connection: sa.Connection, which: sa.ColumnElement[bool]
) -> tuple[sa.ColumnElement[bool], _Place | None]:
    """The oldest of these, and where they end."""
    in_order = sa.select(*ORDER).where(which).order_by(*ORDER)
    last = connection.execute(in_order.offset(WINDOW - 1).limit(1)).one_or_none()
    if last is None:
        return which, None
    end = _Place(last.finished_at, last.id)
    return which & (_place() <= _here(end)), end


def _leaving(window: sa.ColumnElement[bool], limit: int) -> sa.CTE:
    """The oldest of the window, those aside that are the newest of their key: due-ness reads these."""
    later = work_items.alias("later")
    younger = sa.tuple_(later.c.finished_at, later.c.id) > _place()
    outlived = sa.exists().where(later.c.dedup_key == work_items.c.dedup_key, younger)
    return (
        sa.select(work_items.c.id)
        .where(window, work_items.c.dedup_key.is_(None) | outlived)
        .order_by(*ORDER)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("leaving")
    )


def _place() -> sa.Tuple:
    return sa.tuple_(*ORDER)


def _here(place: _Place) -> sa.Tuple:
    return sa.tuple_(sa.literal(place.finished_at, Instant()), sa.literal(place.id, sa.Uuid()))
