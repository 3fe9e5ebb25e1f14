"""Let the library remember failures, and find the halves of Live Photos.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op

from domain.media.file import RelativePath
from domain.media.live_photo import pair_key

revision = "0004"
down_revision = "0003"

Instant = sa.DateTime(timezone=True).with_variant(sa.String(24), "sqlite")

BATCH = 1_000


def upgrade() -> None:
    """Rows that are there keep what they say, and learn their pair keys."""
    add_pair_keys()
    widen_metadata()
    create_media_failures()
    say_what_last_seen_means()


def add_pair_keys() -> None:
    """Read every path once: no engine can make the keys."""
    comment = "Path without its suffix, capitals aside: finds Live Photos"
    op.add_column("media_assets", sa.Column("pair_key", sa.LargeBinary, comment=comment))
    assets = sa.table(
        "media_assets",
        sa.column("id", sa.Uuid),
        sa.column("file_path", sa.LargeBinary),
        sa.column("pair_key", sa.LargeBinary),
    )
    connection = op.get_bind()
    update = (
        sa.update(assets).where(assets.c.id == sa.bindparam("asset")).values(pair_key=sa.bindparam("key"))
    )
    rows = connection.execute(sa.select(assets.c.id, assets.c.file_path)).all()
    for start in range(0, len(rows), BATCH):
        some = rows[start : start + BATCH]
        connection.execute(
            update, [{"asset": row.id, "key": pair_key(RelativePath(row.file_path))} for row in some]
        )
    op.create_index("ix_media_assets_pair_key", "media_assets", ["storage_config_id", "pair_key"])


def widen_metadata() -> None:
    """Nothing refers to this table, so SQLite may build it anew."""
    comment = "Pixels, as displayed; null = nobody could look"
    with op.batch_alter_table("media_metadata") as table:
        for side in ("width", "height"):
            table.alter_column(side, existing_type=sa.Integer, nullable=True, comment=comment)
        table.add_column(
            sa.Column(
                "content_identifier", sa.Text, comment="What both halves of a Live Photo say they belong to"
            )
        )


def create_media_failures() -> None:
    """One row for each path that could not be taken in."""
    op.create_table(
        "media_failures",
        sa.Column("storage_config_id", sa.Uuid, nullable=False, comment="Whose folder it lies in"),
        sa.Column(
            "file_path",
            sa.LargeBinary,
            nullable=False,
            comment="Path below the root, byte for byte; that of a folder ends in a slash",
        ),
        sa.Column("reason", sa.Text, nullable=False, comment="Stable code: truncated, too-many-pixels, ..."),
        sa.Column("size", sa.BigInteger, nullable=False, comment="Bytes, when it failed"),
        sa.Column(
            "mtime_ns",
            sa.BigInteger,
            nullable=False,
            comment="Modification time, when it failed, nanoseconds since 1970",
        ),
        sa.Column("first_seen_at", Instant, nullable=False, comment="When it first failed"),
        sa.Column("last_seen_at", Instant, nullable=False, comment="When it was last tried"),
        sa.ForeignKeyConstraint(
            ["storage_config_id"],
            ["storage_configs.id"],
            name="fk_media_failures_storage_config_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("storage_config_id", "file_path", name="pk_media_failures"),
        comment="Files that could not be taken in: not tried again until they change. For their owner, not for the web",
    )


def say_what_last_seen_means() -> None:
    """A crawl writes nothing of a file that nothing happened to."""
    if op.get_context().dialect.supports_comments:
        op.execute(
            "COMMENT ON COLUMN media_assets.last_seen_at IS "
            "'When a crawl last wrote that it is there; of an unchanged file nothing is written'"
        )
