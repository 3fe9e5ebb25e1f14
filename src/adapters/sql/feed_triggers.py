"""Every change of an item is numbered, and every removal remembered, by triggers: no statement can forget it."""

from typing import Final

import sqlalchemy as sa

POSTGRES: Final = (
    """
CREATE FUNCTION stamp_work_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.change_xid := pg_current_xact_id();
    RETURN NEW;
END
$$
""",
    """
CREATE TRIGGER work_items_stamp BEFORE INSERT OR UPDATE ON work_items
FOR EACH ROW EXECUTE FUNCTION stamp_work_item()
""",
    """
CREATE FUNCTION bury_work_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO work_item_tombstones (change_xid, id, deleted_at)
    SELECT pg_current_xact_id(), gone.id, clock_timestamp() FROM gone
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$
""",
    """
CREATE TRIGGER work_items_bury AFTER DELETE ON work_items REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION bury_work_items()
""",
)
"""The statement trigger fires under the cascade from a deleted config, too."""

POSTGRES_UNDO: Final = ("DROP FUNCTION stamp_work_item()", "DROP FUNCTION bury_work_items()")

SQLITE: Final = (
    """
CREATE TRIGGER work_items_stamp_new AFTER INSERT ON work_items BEGIN
    UPDATE change_feed SET newest = newest + 1;
    UPDATE work_items SET change_xid = (SELECT newest FROM change_feed) WHERE id = NEW.id;
END
""",
    """
CREATE TRIGGER work_items_stamp AFTER UPDATE ON work_items WHEN NEW.change_xid = OLD.change_xid BEGIN
    UPDATE change_feed SET newest = newest + 1;
    UPDATE work_items SET change_xid = (SELECT newest FROM change_feed) WHERE id = NEW.id;
END
""",
    """
CREATE TRIGGER work_items_bury AFTER DELETE ON work_items BEGIN
    UPDATE change_feed SET newest = newest + 1;
    INSERT INTO work_item_tombstones (change_xid, id, deleted_at)
    SELECT newest, OLD.id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM change_feed;
END
""",
)
"""Whoever writes is alone, so the numbers come in the order of the commits."""


def attach(table: sa.Table) -> None:
    """Make the triggers along with the table."""
    for dialect, statements in (("postgresql", POSTGRES), ("sqlite", SQLITE)):
        for statement in statements:
            sa.event.listen(table, "after_create", _only_on(dialect, statement.strip()))
    for statement in POSTGRES_UNDO:
        sa.event.listen(table, "after_drop", _only_on("postgresql", statement))


def _only_on(dialect: str, statement: str) -> sa.ExecutableDDLElement:
    made: sa.ExecutableDDLElement = sa.DDL(statement.replace("%", "%%"))  # type: ignore[no-untyped-call]
    return made.execute_if(dialect=dialect)
