"""Number each change of an item, and remember which items are gone.

Revision ID: 0002
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

Instant = sa.DateTime(timezone=True).with_variant(sa.String(24), "sqlite")


class Xid8(sa.types.UserDefinedType[str]):
    """PostgreSQL's number of a transaction."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        """Its name."""
        return "xid8"


Position = sa.BigInteger().with_variant(Xid8(), "postgresql")


def upgrade() -> None:
    """What is there already counts as changed now."""
    create_work_item_tombstones()
    create_change_feed()
    number_work_items()
    replace_indexes()
    for statement in POSTGRES if is_postgres() else SQLITE:
        op.get_bind().exec_driver_sql(statement.strip())


def is_postgres() -> bool:
    """Whether it is that and not SQLite."""
    return op.get_context().dialect.name == "postgresql"


def create_work_item_tombstones() -> None:
    op.create_table(
        "work_item_tombstones",
        sa.Column(
            "change_xid",
            Position,
            autoincrement=False,
            nullable=False,
            comment="Which transaction deleted the item; on SQLite the number of the change",
        ),
        sa.Column("id", sa.Uuid, nullable=False, comment="Which item is gone"),
        sa.Column("deleted_at", Instant, nullable=False, comment="When it went: it is remembered for some days"),
        sa.PrimaryKeyConstraint("change_xid", "id", name="pk_work_item_tombstones"),
        comment="Items that are gone, written by a trigger, for those who have not heard of it yet",
    )


def create_change_feed() -> None:
    table = op.create_table(
        "change_feed",
        sa.Column("one", sa.Integer, autoincrement=False, nullable=False, comment="There is one row: 1"),
        sa.Column("epoch", sa.Text, nullable=False, comment="Part of each cursor; another one makes all void"),
        sa.Column("origin", sa.Text, nullable=False, comment="Which copy of the database the epoch is for"),
        sa.Column("newest", sa.BigInteger, nullable=False, comment="SQLite: the number of the latest change"),
        sa.Column(
            "purged",
            Position,
            nullable=False,
            comment="The highest change_xid of the tombstones that were purged",
        ),
        sa.CheckConstraint("one = 1", name="ck_change_feed_single"),
        sa.PrimaryKeyConstraint("one", name="pk_change_feed"),
        comment="What the cursors of the change feed are judged by",
    )
    # The origin is for whoever migrates to fill in: as yet the epoch belongs to no copy.
    epoch = sa.literal(secrets.token_hex(4))
    op.execute(sa.insert(table).values(one=1, epoch=epoch, origin="", newest=0, purged=sa.text("'0'")))


def number_work_items() -> None:
    comment = "Which transaction wrote it last, set by a trigger; on SQLite the number of the change"
    if is_postgres():
        # The default is computed once, and no row is written.
        op.execute("ALTER TABLE work_items ADD COLUMN change_xid xid8 NOT NULL DEFAULT pg_current_xact_id()")
        op.execute("ALTER TABLE work_items ALTER COLUMN change_xid SET DEFAULT '0'")
        op.execute(f"COMMENT ON COLUMN work_items.change_xid IS '{comment}'")
        return
    op.add_column(
        "work_items",
        sa.Column("change_xid", sa.BigInteger, nullable=False, server_default=sa.text("'0'"), comment=comment),
    )
    op.execute(
        "UPDATE work_items SET change_xid = place FROM (SELECT id AS numbered, row_number() OVER "
        "(ORDER BY updated_at, id) AS place FROM work_items) WHERE id = numbered"
    )
    op.execute("UPDATE change_feed SET newest = (SELECT count(*) FROM work_items)")


def replace_indexes() -> None:
    op.drop_index("ix_work_items_changes", "work_items")
    op.drop_index("ix_work_items_scope", "work_items")
    order = ["kind", "status", "change_xid", "id"]
    op.create_index("ix_work_items_changes", "work_items", order)
    op.create_index("ix_work_items_requester", "work_items", ["requested_by", *order])
    scoped = sa.text("storage_config_id IS NOT NULL")
    op.create_index(
        "ix_work_items_scope",
        "work_items",
        ["storage_config_id", "requested_by", *order],
        postgresql_where=scoped,
        sqlite_where=scoped,
    )


POSTGRES = (
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

SQLITE = (
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
