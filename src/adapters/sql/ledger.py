"""Reading the queue, in SQL."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from adapters.sql import postgres_lists, sqlite_lists
from adapters.sql.dialect import Dialect
from adapters.sql.engine import Database
from adapters.sql.every_kind import EVERY_KIND
from adapters.sql.rows import attempt_of, item_of
from adapters.sql.statements import ATTEMPTS, ITEM
from adapters.sql.tables import work_items
from adapters.sql.types import Instant
from application.ports.ledger import Histories, WorkLedger
from domain.attempt import EndedAttempt
from domain.due import KeyHistory
from domain.ids import DedupKey, KindName, WorkItemId
from domain.outcomes import UnknownItem
from domain.page import Counts, Filter, Page, PageCursor, PlaceLost
from domain.work_item import Status, WorkItem

# Each by one search of an index that holds all it asks for; to group rows would compare each with the one before.
COUNTS: Final = sa.text(f"""
    WITH RECURSIVE {EVERY_KIND}, status (name) AS ({" UNION ALL ".join(f"SELECT '{status}'" for status in Status)})
    SELECT kind.name AS kind, status.name AS status, (
        SELECT count(*) FROM work_items AS counted
        WHERE counted.kind = kind.name AND counted.status = status.name
    ) AS items FROM kind CROSS JOIN status WHERE kind.name IS NOT NULL
""").columns(kind=sa.Text, status=sa.Text, items=sa.BigInteger)  # noqa: S608 -- made of this project's own words
# The head of each kind and config by one search of the claim's index; those that wait for an instant are few.
OLDEST_WAITING: Final = sa.text(f"""
    WITH RECURSIVE {EVERY_KIND},
    head (requested_at) AS (
        SELECT (
            SELECT ready.requested_at FROM work_items AS ready
            WHERE ready.status = 'queued' AND ready.run_after IS NULL
                AND ready.kind = kind.name AND ready.storage_config_id = config.id
            ORDER BY ready.kind, ready.storage_config_id, ready.requested_at, ready.id LIMIT 1
        ) FROM kind CROSS JOIN storage_configs AS config
        UNION ALL
        SELECT (
            SELECT ready.requested_at FROM work_items AS ready
            WHERE ready.status = 'queued' AND ready.run_after IS NULL
                AND ready.kind = kind.name AND ready.storage_config_id IS NULL
            ORDER BY ready.kind, ready.storage_config_id, ready.requested_at, ready.id LIMIT 1
        ) FROM kind
        UNION ALL
        SELECT later.requested_at FROM work_items AS later
        WHERE later.status = 'queued' AND later.run_after IS NOT NULL
    )
    SELECT min(requested_at) AS requested_at FROM head
""").columns(requested_at=Instant)  # noqa: S608 -- made of this project's own words


class SqlWorkLedger(WorkLedger):
    """Reads without locks: nobody waits for it, and it waits for nobody."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._dialect = database.dialect

    async def get(self, item: WorkItemId) -> WorkItem | UnknownItem:
        row = await self._database.read(
            lambda connection: connection.execute(ITEM, {"item": item}).one_or_none()
        )
        return UnknownItem() if row is None else item_of(row)

    async def page(self, which: Filter, *, limit: int, after: PageCursor | None = None) -> Page | PlaceLost:
        read = sqlite_lists.read_page if self._dialect.single_writer else postgres_lists.read_page
        return await self._database.read(lambda connection: read(connection, which, limit, after))

    async def counts(self) -> Counts:
        return await self._database.read(self._counts)

    async def attempts(self, item: WorkItemId) -> tuple[EndedAttempt, ...]:
        rows = await self._database.read(
            lambda connection: connection.execute(ATTEMPTS, {"item": item}).all()
        )
        return tuple(map(attempt_of, rows))

    async def histories(self, keys: frozenset[DedupKey]) -> Histories:
        return await self._database.read(lambda connection: histories(connection, self._dialect, keys))

    def _counts(self, connection: sa.Connection) -> Counts:
        as_of = self._now(connection)
        by_kind: defaultdict[KindName, dict[Status, int]] = defaultdict(dict)
        for kind, status, count in _all(connection, COUNTS):
            if count:
                by_kind[kind][Status(status)] = count
        return Counts(dict(by_kind), connection.execute(OLDEST_WAITING).scalar_one(), as_of)

    def _now(self, connection: sa.Connection) -> datetime:
        return connection.execute(self._dialect.clock).scalar_one()


def histories(connection: sa.Connection, dialect: Dialect, keys: frozenset[DedupKey]) -> Histories:
    """What is known of these keys, by two look-ups in the index of histories for each."""
    each = dialect.each(sorted(keys))
    of_key = work_items.c.dedup_key == each.c.value
    # Whatever is not finished has no such instant (a constraint of the table), and this is the index's order.
    active = sa.exists().where(of_key, work_items.c.finished_at.is_(None))
    last = (
        sa.select(work_items.c.finished_at)
        .where(of_key, work_items.c.finished_at.is_not(None))
        .order_by(work_items.c.dedup_key.desc(), work_items.c.finished_at.desc())
        .limit(1)
        .scalar_subquery()
    )
    # Of the clock there is always a row, also if there is no key.
    clock = sa.select(dialect.as_of.label("now")).subquery("clock")
    query = sa.select(clock.c.now, each.c.value, active, last).select_from(clock.outerjoin(each, sa.true()))
    rows = _all(connection, query)
    known = {
        DedupKey(key): KeyHistory(bool(is_active), last_finished_at)
        for _, key, is_active, last_finished_at in rows
        if is_active or last_finished_at is not None
    }
    return Histories(known, rows[0].now)


def _all(connection: sa.Connection, query: sa.Executable) -> Sequence[Any]:
    return connection.execute(query).all()
