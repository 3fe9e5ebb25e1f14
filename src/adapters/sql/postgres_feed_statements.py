"""The statements of the change feed and of lists on PostgreSQL: some rows of each kind and status, then the merge.

There is no index in the order of changes alone. Each kind and status is a short search in one that is kept for
lists, too; that costs a poll some microseconds, and every write of an item one index less.
"""

from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from adapters.sql.every_kind import EVERY_KIND
from adapters.sql.positions import Position
from adapters.sql.tables import work_items
from adapters.sql.types import Instant
from domain.page import Filter, Schedule
from domain.work_item import Status

GIVEN_KINDS: Final = "kind (name) AS (SELECT unnest(CAST(:kinds AS text[])))"

EVERY_REQUESTER: Final = """
    requester (id) AS (
        (
            SELECT requested_by FROM work_items WHERE storage_config_id = :config AND requested_by IS NOT NULL
            ORDER BY storage_config_id, requested_by, kind, status, change_xid, id LIMIT 1
        )
        UNION ALL
        SELECT (
            SELECT next.requested_by FROM work_items AS next
            WHERE next.storage_config_id = :config AND next.requested_by > requester.id
            ORDER BY next.storage_config_id, next.requested_by, next.kind, next.status, next.change_xid, next.id
            LIMIT 1
        ) FROM requester WHERE requester.id IS NOT NULL
    )
"""

EVERY_STATUS: Final = f"unnest(ARRAY[{', '.join(map(repr, map(str, Status)))}]) AS status (name)"

# A server that crashes, or whose standby takes over, may forget transactions that a cursor has counted, and then
# gives their numbers to others: whoever held such a cursor would not be told of those. Any loss of that kind makes
# the server begin its statistics anew, which everybody may see; to reset them by hand costs a list read again.
EPOCH: Final = """
    encode(substr(sha256(convert_to(
        concat_ws('/', epoch, extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time())), 'UTF8'
    )), 1, 4), 'hex')
"""

STANDING_COLUMNS: Final[list[sa.ColumnClause[Any]]] = [
    sa.column("feed_snapshot", sa.Text),
    sa.column("feed_epoch", sa.Text),
    sa.column("feed_purged", Position),
]
ITEM: Final = [sa.column(column.name, column.type) for column in work_items.c]
# One lower bound, and no other beside it: of two, a search of an index may begin at the lower one.
SPANS: Final = """
    unnest(CAST(:after_xids AS xid8[]), CAST(:after_ids AS uuid[]), CAST(:highs AS xid8[]))
    AS span (after_xid, after_id, high)
"""
# A join that cannot be turned into a hash of the whole table, whatever the planner takes the number of rows to be.
ROW_OF_EACH: Final = "LEFT JOIN LATERAL (SELECT * FROM work_items WHERE id = found.id OFFSET 0) AS item"
ITEM_COLUMNS: Final = ", ".join(f"item.{column.name}" for column in work_items.c)

CHANGES: Final = sa.text(f"""
    WITH RECURSIVE {EVERY_KIND},
    here AS MATERIALIZED (
        SELECT pg_current_snapshot() AS snapshot, {EPOCH} AS epoch, purged,
            coalesce(CAST(:seen AS pg_snapshot), pg_current_snapshot()) AS bound
        FROM change_feed
    )
    SELECT CAST(here.snapshot AS text) AS feed_snapshot, here.epoch AS feed_epoch, here.purged AS feed_purged,
        found.change_xid AS found_at, found.id AS found_id, found.is_gone, {ITEM_COLUMNS}
    FROM here LEFT JOIN LATERAL (
        SELECT change_xid, id, is_gone FROM (
            SELECT head.change_xid, head.id, false AS is_gone
            FROM {SPANS}
            CROSS JOIN kind CROSS JOIN {EVERY_STATUS}
            CROSS JOIN LATERAL (
                SELECT changed.change_xid, changed.id FROM work_items AS changed
                WHERE changed.kind = kind.name AND changed.status = status.name
                    AND (changed.change_xid, changed.id) > (span.after_xid, span.after_id)
                    AND changed.change_xid <= span.high AND changed.change_xid < pg_snapshot_xmax(here.bound)
                    AND pg_visible_in_snapshot(changed.change_xid, here.bound)
                ORDER BY changed.kind, changed.status, changed.change_xid, changed.id LIMIT :limit
            ) AS head
            UNION ALL
            SELECT grave.change_xid, grave.id, true
            FROM {SPANS}
            CROSS JOIN LATERAL (
                SELECT gone.change_xid, gone.id FROM work_item_tombstones AS gone
                WHERE (gone.change_xid, gone.id) > (span.after_xid, span.after_id)
                    AND gone.change_xid <= span.high AND gone.change_xid < pg_snapshot_xmax(here.bound)
                    AND pg_visible_in_snapshot(gone.change_xid, here.bound)
                    AND NOT EXISTS (SELECT FROM work_items AS again WHERE again.id = gone.id)
                ORDER BY gone.change_xid, gone.id LIMIT :limit
            ) AS grave
        ) AS change ORDER BY change_xid, id LIMIT :limit
    ) AS found ON true
    {ROW_OF_EACH} ON NOT found.is_gone
    ORDER BY found.change_xid, found.id
""").columns(  # noqa: S608 -- made of this project's own words
    *STANDING_COLUMNS,
    sa.column("found_at", Position),
    sa.column("found_id", sa.Uuid),
    sa.column("is_gone", sa.Boolean),
    *ITEM,
)
"""One snapshot: how far the database is, and what is new of it, a row each; without news there is one row."""

STANDING: Final = sa.text(
    f"SELECT CAST(pg_current_snapshot() AS text) AS feed_snapshot, {EPOCH} AS feed_epoch, purged AS feed_purged "  # noqa: S608
    "FROM change_feed"
).columns(*STANDING_COLUMNS)


class Requesters(Enum):
    """Whose items a list shows: of one of them it is one search of an index for each kind and status."""

    ANYBODY = auto()
    SOMEBODY = auto()
    SCHEDULE = auto()


@dataclass(frozen=True, slots=True)
class PageShape:
    """What of a list is in its statement's text."""

    of_kinds: bool
    of_a_config: bool
    requesters: Requesters
    goes_on: bool


def page_shape_of(which: Filter, *, goes_on: bool) -> PageShape:
    """The shape of a list with this filter, from its top or from a place on."""
    match which.requested_by:
        case None:
            requesters = Requesters.ANYBODY
        case Schedule():
            requesters = Requesters.SCHEDULE
        case _:
            requesters = Requesters.SOMEBODY
    return PageShape(bool(which.kinds), which.storage_config_id is not None, requesters, goes_on)


@cache
def page(shape: PageShape) -> sa.TextualSelect:
    """The rows of a page with the snapshot of the statement; of an empty page there is one row without an item."""
    sources = [GIVEN_KINDS if shape.of_kinds else EVERY_KIND]
    if shape.of_a_config and shape.requesters is Requesters.ANYBODY:
        sources.append(EVERY_REQUESTER)
    groups = " UNION ALL ".join(_group(shape, source, asker) for source, asker in _askers(shape))
    return sa.text(f"""
        WITH RECURSIVE {", ".join(sources)}
        SELECT CAST(here.snapshot AS text) AS feed_snapshot, here.epoch AS feed_epoch, here.purged AS feed_purged,
            here.now AS feed_now, {ITEM_COLUMNS}
        FROM (
            SELECT pg_current_snapshot() AS snapshot, {EPOCH} AS epoch, purged, statement_timestamp() AS now
            FROM change_feed
        ) AS here LEFT JOIN LATERAL (
            SELECT change_xid, id FROM ({groups}) AS head ORDER BY change_xid DESC, id DESC LIMIT :limit
        ) AS found ON true
        {ROW_OF_EACH} ON true
        ORDER BY found.change_xid DESC, found.id DESC
    """).columns(*STANDING_COLUMNS, sa.column("feed_now", Instant), *ITEM)  # noqa: S608


def _askers(shape: PageShape) -> list[tuple[str, str]]:
    """Where those come from who may have asked, and the condition that names one of them."""
    match shape.requesters:
        case Requesters.SCHEDULE:
            return [("", "listed.requested_by IS NULL AND")]
        case Requesters.SOMEBODY:
            return [("", "listed.requested_by = :requester AND")]
        case Requesters.ANYBODY if not shape.of_a_config:
            return [("", "")]
        case Requesters.ANYBODY:
            # The index of a config's items is by requester, and null equals nothing.
            somebody = ("CROSS JOIN requester", "listed.requested_by = requester.id AND")
            return [somebody, ("", "listed.requested_by IS NULL AND")]


def _group(shape: PageShape, source: str, asker: str) -> str:
    """The newest of each kind and status. Ordered by every column of the one index that is to serve it (R2)."""
    scope = "listed.storage_config_id = :config AND" if shape.of_a_config else ""
    config = ["storage_config_id"] if shape.of_a_config else []
    requester = ["requested_by"] if asker else []
    columns = [*config, *requester, "kind", "status", "change_xid", "id"]
    order = ", ".join(f"listed.{column} DESC" for column in columns)
    place = "AND (listed.change_xid, listed.id) < (CAST(:after_xid AS xid8), :after_id)"
    return f"""
        SELECT newest.change_xid, newest.id
        FROM kind CROSS JOIN (SELECT unnest(CAST(:statuses AS text[]))) AS status (name) {source}
        CROSS JOIN LATERAL (
            SELECT listed.change_xid, listed.id FROM work_items AS listed
            WHERE {scope} {asker} listed.kind = kind.name AND listed.status = status.name
                {place if shape.goes_on else ""}
            ORDER BY {order} LIMIT :limit
        ) AS newest
    """  # noqa: S608
