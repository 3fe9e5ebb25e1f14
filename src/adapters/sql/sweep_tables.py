"""The tables around proxy sweeps, for both dialects."""

import sqlalchemy as sa

from adapters.sql.tables import metadata
from adapters.sql.types import Instant

proxy_sweep_findings = sa.Table(
    "proxy_sweep_findings",
    metadata,
    sa.Column(
        "work_item_id",
        sa.ForeignKey("work_items.id", ondelete="CASCADE"),
        primary_key=True,
        comment="The sweep that found it",
    ),
    sa.Column("attempt", sa.Integer, primary_key=True, comment="Counts only if it is the one that finished"),
    sa.Column("number", sa.Integer, primary_key=True, comment="Counts the findings of the attempt, from 1"),
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
    comment="What proxy sweeps have found, tagged with the run that found it",
)

request_keys = sa.Table(
    "request_keys",
    metadata,
    sa.Column(
        "user_id", sa.ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, comment="Whose request"
    ),
    sa.Column("key", sa.Text, primary_key=True, comment="What its sender calls it: Idempotency-Key"),
    sa.Column("digest", sa.LargeBinary, nullable=False, comment="Hash of what was asked"),
    sa.Column("work_item_ids", sa.Text, nullable=False, comment="What came of it, with blanks between"),
    sa.Column("taken_at", Instant, nullable=False, index=True, comment="Forgotten 24 hours later"),
    comment="Requests that may be sent again without being done again",
)
