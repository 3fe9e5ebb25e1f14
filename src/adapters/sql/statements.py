"""The statements of the verbs that are alike on all databases, made once: making one costs more than to run it."""

from typing import Final

import sqlalchemy as sa

from adapters.sql.dialect import Dialect
from adapters.sql.tables import waiting, work_item_attempts, work_items

DATED: Final = frozenset({"requested_at", "updated_at"})
"""What a new row takes from the database's clock."""

STAMPED: Final = frozenset({"change_xid"})
"""What triggers write."""

_mine: Final = work_items.c.id == sa.bindparam("item")
_alike: Final = (work_items.c.dedup_key == sa.bindparam("key")) & waiting

ITEM: Final = sa.select(work_items).where(_mine)
IS_KNOWN: Final = sa.select(work_items.c.id).where(_mine)

# Not the stronger FOR UPDATE: rows that refer to this one may come and go meanwhile.
LOCKED_ITEM: Final = ITEM.with_for_update(key_share=True)
LOCKED_ITEM_IF_FREE: Final = ITEM.with_for_update(key_share=True, skip_locked=True)
LOCKED_TWIN: Final = sa.select(work_items).where(_alike).with_for_update(key_share=True)

WAITING: Final = sa.select(work_items.c.id).where(_alike)
WAITING_AND_HELD: Final = WAITING.with_for_update(read=True)

CHANGE_ITEM: Final = sa.update(work_items).where(_mine)
ADD_ATTEMPT: Final = sa.insert(work_item_attempts)
ATTEMPTS: Final = (
    sa.select(work_item_attempts)
    .where(work_item_attempts.c.work_item_id == sa.bindparam("item"))
    .order_by(work_item_attempts.c.attempt)
)
ATTEMPT: Final = ATTEMPTS.where(work_item_attempts.c.attempt == sa.bindparam("attempt"))


def insert_item(dialect: Dialect) -> sa.Insert:
    """Insert a row, dated by one reading of the database's clock; a row of that if its id and key were free."""
    clock = sa.select(dialect.now.label("now")).subquery("clock")
    columns = [column for column in work_items.c if column.name not in STAMPED]
    values = [
        clock.c.now if column.name in DATED else sa.bindparam(column.name, type_=column.type)
        for column in columns
    ]
    insert = dialect.insert(work_items, [column.name for column in columns], sa.select(*values))
    return insert.returning(work_items.c.id)
