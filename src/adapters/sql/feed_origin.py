"""Whether the change feed's epoch is that of this database, or came with a copy of another one."""

import secrets
from typing import Final

import sqlalchemy as sa

from adapters.sql.every_kind import EVERY_KIND
from adapters.sql.postgres_feed_statements import EVERY_STATUS
from adapters.sql.tables import change_feed, work_item_tombstones

EPOCH_BYTES: Final = 4

# A restored dump is in another database, or its tables are others of the same; a promoted standby is on another
# timeline, and may lack what had been told of already. Some hosts let nobody read of the server itself.
MAY_READ_CONTROL: Final = sa.text("""
    SELECT has_function_privilege('pg_control_system()', 'EXECUTE')
        AND has_function_privilege('pg_control_checkpoint()', 'EXECUTE')
""")
SERVER: Final = sa.text("""
    SELECT concat_ws('/', system_identifier, timeline_id) FROM pg_control_system(), pg_control_checkpoint()
""")
TABLE: Final = sa.text("""
    SELECT concat_ws('/', oid, CAST(CAST('change_feed' AS regclass) AS oid))
    FROM pg_database WHERE datname = current_database()
""")
# What this very transaction has written is not ahead, though nobody has counted it yet.
AHEAD: Final = """
    change_xid >= pg_snapshot_xmax(pg_current_snapshot())
    AND change_xid > coalesce(pg_current_xact_id_if_assigned(), '0')
"""
IS_AHEAD: Final = sa.text(f"""
    WITH RECURSIVE {EVERY_KIND}
    SELECT EXISTS (
        SELECT FROM kind CROSS JOIN {EVERY_STATUS} CROSS JOIN LATERAL (
            SELECT FROM work_items AS ahead
            WHERE ahead.kind = kind.name AND ahead.status = status.name AND {AHEAD} LIMIT 1
        ) AS found
    )
""")  # noqa: S608 -- made of this project's own words
# The trigger gives them the number of this transaction.
NUMBER_ANEW: Final = sa.text(f"UPDATE work_items SET revision = revision WHERE {AHEAD}")  # noqa: S608


def new_epoch() -> str:
    """An epoch that no cursor was ever made in."""
    return secrets.token_hex(EPOCH_BYTES)


def settle(connection: sa.Connection) -> None:
    """Make the feed this database's own, in a transaction that nobody else migrates beside.

    Transactions are numbered by the server: rows that come from another one may have numbers that this one will
    only reach in years, and would be told as changed again and again. And whoever has a cursor may know of
    things that never happened here: a new epoch makes them read everything anew.
    """
    if connection.dialect.name == "postgresql":
        _settle_on_postgres(connection)


def _settle_on_postgres(connection: sa.Connection) -> None:
    origin = _origin(connection)
    known = connection.execute(sa.select(change_feed.c.origin)).scalar_one()
    if known == origin and not connection.execute(IS_AHEAD).scalar_one():
        return
    connection.execute(NUMBER_ANEW)
    # Tombstones are for those whose cursors are void now.
    connection.execute(sa.delete(work_item_tombstones))
    nothing = sa.text("'0'")
    connection.execute(sa.update(change_feed).values(origin=origin, epoch=new_epoch(), purged=nothing))


def _origin(connection: sa.Connection) -> str:
    """Which server, database and tables these are, as far as one may know."""
    parts = (SERVER, TABLE) if connection.execute(MAY_READ_CONTROL).scalar_one() else (TABLE,)
    return "/".join(connection.execute(part).scalar_one() for part in parts)
