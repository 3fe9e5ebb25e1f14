"""Keep what proxy sweeps find, and which requests were sent before.

Revision ID: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

Instant = sa.DateTime(timezone=True).with_variant(sa.String(24), "sqlite")


def upgrade() -> None:
    """Nothing that is there changes; proxies can be found by their path."""
    op.create_index("ix_media_proxies_path", "media_proxies", ["path"])
    create_proxy_sweep_findings()
    create_request_keys()


def create_proxy_sweep_findings() -> None:
    op.create_table(
        "proxy_sweep_findings",
        sa.Column("work_item_id", sa.Uuid, nullable=False, comment="The sweep that found it"),
        sa.Column(
            "attempt", sa.Integer, nullable=False, comment="Counts only if it is the one that finished"
        ),
        sa.Column("number", sa.Integer, nullable=False, comment="Counts the findings of the attempt, from 1"),
        sa.Column("what", sa.Text, nullable=False, comment="orphan-file, temporary-leftover or missing-file"),
        sa.Column("path", sa.Text, nullable=False, comment="Below the proxies folder"),
        sa.Column("size", sa.BigInteger, nullable=False, comment="Bytes; of a missing file those of its row"),
        sa.Column("modified_at", Instant, comment="When the file was last modified; null = missing"),
        sa.Column(
            "owner_id",
            sa.Uuid,
            nullable=False,
            comment="The storage config that the path names; it may not exist any more",
        ),
        sa.ForeignKeyConstraint(
            ["work_item_id"],
            ["work_items.id"],
            name="fk_proxy_sweep_findings_work_item_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("work_item_id", "attempt", "number", name="pk_proxy_sweep_findings"),
        comment="What proxy sweeps have found, tagged with the run that found it",
    )


def create_request_keys() -> None:
    op.create_table(
        "request_keys",
        sa.Column("user_id", sa.Uuid, nullable=False, comment="Whose request"),
        sa.Column("key", sa.Text, nullable=False, comment="What its sender calls it: Idempotency-Key"),
        sa.Column("digest", sa.LargeBinary, nullable=False, comment="Hash of what was asked"),
        sa.Column("work_item_ids", sa.Text, nullable=False, comment="What came of it, with blanks between"),
        sa.Column("taken_at", Instant, nullable=False, comment="Forgotten 24 hours later"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_request_keys_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "key", name="pk_request_keys"),
        comment="Requests that may be sent again without being done again",
    )
    op.create_index("ix_request_keys_taken_at", "request_keys", ["taken_at"])
