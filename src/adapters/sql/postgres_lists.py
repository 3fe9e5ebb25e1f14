"""Lists on PostgreSQL, of the same statement as the cursor of the change feed that goes with them."""

from typing import Any

import sqlalchemy as sa

from adapters.sql.postgres_feed import standing_of
from adapters.sql.postgres_feed_statements import page, page_shape_of
from adapters.sql.rows import item_of
from domain.page import Filter, Page, PageCursor, PlaceLost
from domain.work_item import Status


def read_page(
    connection: sa.Connection, which: Filter, limit: int, after: PageCursor | None
) -> Page | PlaceLost:
    """One page; see `application.ports.ledger`."""
    statement = page(page_shape_of(which, goes_on=after is not None))
    # One more than asked for tells whether there is a next page.
    rows = connection.execute(statement, parameters_of(which, limit + 1, after)).all()
    here = standing_of(rows[0])
    if after is not None and after.epoch != here.epoch:
        return PlaceLost()
    shown = [row for row in rows if row.id is not None]
    last = shown[limit - 1] if len(shown) > limit else None
    return Page(
        items=tuple(map(item_of, shown[:limit])),
        next=None if last is None else PageCursor(here.epoch, last.change_xid, last.id),
        as_of=rows[0].feed_now,
        cursor=here.cursor,
    )


def parameters_of(which: Filter, limit: int, after: PageCursor | None) -> dict[str, Any]:
    """What `page` wants to know of a list."""
    asked = {"kinds": sorted(which.kinds)} if which.kinds else {}
    place = {} if after is None else {"after_xid": str(after.position), "after_id": after.id}
    return {
        "limit": limit,
        "statuses": [status.value for status in sorted(which.statuses or Status)],
        "config": which.storage_config_id,
        "requester": which.requested_by,
        **asked,
        **place,
    }
