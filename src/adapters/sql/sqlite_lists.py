"""Lists on SQLite, of the same instant as the cursor of the change feed that goes with them."""

from functools import cache
from itertools import product
from typing import Any, Final
from uuid import UUID

import sqlalchemy as sa

from adapters.sql.rows import item_of
from adapters.sql.sqlite import SqliteDialect
from adapters.sql.sqlite_feed import OF_A_GROUP, Group, count_of, groups, one_instant, rows_of
from adapters.sql.tables import work_items
from domain.page import Filter, Page, PageCursor, PlaceLost, Schedule
from domain.work_item import Status

# Of one config: who asked for its items, each by one search of an index. Null, the schedule, is none of them.
REQUESTERS: Final = (
    sa.text("""
    WITH RECURSIVE requester (id) AS (
        SELECT min(requested_by) FROM work_items WHERE storage_config_id = :config
        UNION ALL
        SELECT (
            SELECT min(next.requested_by) FROM work_items AS next
            WHERE next.storage_config_id = :config AND next.requested_by > requester.id
        ) FROM requester WHERE requester.id IS NOT NULL
    ) SELECT id FROM requester WHERE id IS NOT NULL
""")
    .bindparams(sa.bindparam("config", type_=sa.Uuid))
    .columns(id=sa.Uuid)
)


def read_page(
    connection: sa.Connection, which: Filter, limit: int, after: PageCursor | None
) -> Page | PlaceLost:
    """One page; see `application.ports.ledger`."""
    with one_instant(connection):
        count = count_of(connection)
        if after is not None and after.epoch != count.epoch:
            return PlaceLost()
        # One more than asked for tells whether there is a next page.
        found = _newest(connection, which, limit + 1, after)
        shown = found[:limit]
        rows = rows_of(connection, [id_ for _, id_ in shown])
        return Page(
            items=tuple(item_of(rows[id_]) for _, id_ in shown),
            next=PageCursor(count.epoch, *shown[-1]) if len(found) > limit else None,
            as_of=connection.execute(SqliteDialect.clock).scalar_one(),
            cursor=count.cursor,
        )


def _newest(connection: sa.Connection, which: Filter, limit: int, after: PageCursor | None) -> list[Any]:
    found: list[Any] = []
    for asker in _askers(connection, which):
        for group in _groups(connection, which):
            statement = _group(
                config=which.storage_config_id is not None,
                asker=asker is not None,
                scheduled=isinstance(asker, Schedule),
                goes_on=after is not None,
            )
            parameters = {
                **group.parameters,
                "limit": limit,
                **({} if which.storage_config_id is None else {"config": which.storage_config_id}),
                **({"requester": asker} if isinstance(asker, UUID) else {}),
                **({} if after is None else {"after": after.position}),
            }
            found += [(row.change_xid, row.id) for row in connection.execute(statement, parameters)]
    return sorted(found, reverse=True)[:limit]


def _groups(connection: sa.Connection, which: Filter) -> list[Group]:
    statuses = sorted(which.statuses or Status)
    if which.kinds:
        return [
            Group(kind.encode(), is_text=True, status=status)
            for kind, status in product(sorted(which.kinds), statuses)
        ]
    return [group for group in groups(connection) if group.status in statuses]


def _askers(connection: sa.Connection, which: Filter) -> list[UUID | Schedule | None]:
    if which.requested_by is not None or which.storage_config_id is None:
        return [which.requested_by]
    # The index of a config's items is by requester.
    requesters = connection.execute(REQUESTERS, {"config": which.storage_config_id}).scalars().all()
    return [*requesters, Schedule()]


@cache
def _group(*, config: bool, asker: bool, scheduled: bool, goes_on: bool) -> sa.Select[Any]:
    """The newest of one kind and status."""
    statement = (
        sa.select(work_items.c.change_xid, work_items.c.id)
        .where(*OF_A_GROUP)
        .order_by(work_items.c.change_xid.desc())
        .limit(sa.bindparam("limit"))
    )
    if config:
        statement = statement.where(work_items.c.storage_config_id == sa.bindparam("config"))
    if scheduled:
        statement = statement.where(work_items.c.requested_by.is_(None))
    elif asker:
        statement = statement.where(work_items.c.requested_by == sa.bindparam("requester"))
    if goes_on:
        statement = statement.where(work_items.c.change_xid < sa.bindparam("after"))
    return statement
