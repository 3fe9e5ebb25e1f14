"""The tables of the queue and its accounts, for both dialects. Comments go into the schema."""

import sqlalchemy as sa

from adapters.sql import feed_triggers
from adapters.sql.positions import Position
from adapters.sql.types import Instant
from domain.work_item import Status

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

users = sa.Table(
    "users",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True, comment="UUIDv7"),
    sa.Column("name", sa.Text, nullable=False, comment="What people call the account, as they write it"),
    sa.Column("name_key", sa.Text, nullable=False, unique=True, comment="The name, capitals aside"),
    sa.Column("email", sa.Text, nullable=False, comment="E-mail address, as they write it"),
    sa.Column("email_key", sa.Text, nullable=False, unique=True, comment="The address, capitals aside"),
    sa.Column("password_hash", sa.Text, nullable=False, comment="Argon2id hash with its parameters"),
    sa.Column("is_admin", sa.Boolean, nullable=False, comment="May see and cancel everybody's work"),
    sa.Column(
        "is_disabled", sa.Boolean, nullable=False, comment="May not sign in; tokens are refused at once"
    ),
    sa.Column("created_at", Instant, nullable=False, comment="When the account was added"),
    comment="Accounts. Roles are judged by this table, not by what a token says",
)

storage_configs = sa.Table(
    "storage_configs",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True, comment="UUIDv7; the scope of the work on this folder"),
    sa.Column(
        "user_id",
        sa.ForeignKey("users.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
        comment="Whose folder it is",
    ),
    sa.Column("root_path", sa.Text, nullable=False, unique=True, comment="Absolute path of the photo folder"),
    sa.Column("is_active", sa.Boolean, nullable=False, comment="Whether it is crawled"),
    sa.Column("created_at", Instant, nullable=False, comment="When it was added"),
    comment="Photo folders. What belongs to one goes when it goes",
)

work_items = sa.Table(
    "work_items",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True, comment="UUIDv7, made by whoever asked"),
    sa.Column("kind", sa.Text, nullable=False, comment="What the work is; may be unknown to this version"),
    sa.Column("payload", sa.JSON, nullable=False, comment="What was asked for, as its kind defines it"),
    sa.Column(
        "storage_config_id",
        sa.ForeignKey("storage_configs.id", ondelete="CASCADE"),
        comment="Scope; null = unscoped. The item goes when the config goes",
    ),
    sa.Column("dedup_key", sa.Text, comment="At most one queued item may hold a key; null = never coalesced"),
    sa.Column("requested_by", sa.ForeignKey("users.id"), comment="Who asked; null = the schedule"),
    sa.Column("requested_at", Instant, nullable=False, comment="Place in the queue, by the database's clock"),
    sa.Column("status", sa.Text, nullable=False, comment="queued, running, succeeded, failed or cancelled"),
    sa.Column("attempt", sa.Integer, nullable=False, comment="How often it was claimed: the fencing token"),
    sa.Column("stalls", sa.Integer, nullable=False, comment="How often its lease ran out"),
    sa.Column("retries", sa.Integer, nullable=False, comment="How often a failure was tried again"),
    sa.Column("run_after", Instant, comment="Queued, but not ready before this instant; null = ready"),
    sa.Column("claimed_by", sa.Text, comment="Who runs it, or ran it last; for display, never a fence"),
    sa.Column("started_at", Instant, comment="When the latest attempt was claimed"),
    sa.Column("lease_until", Instant, comment="Set while running: how long the attempt is its worker's"),
    sa.Column("finished_at", Instant, comment="Set once terminal"),
    sa.Column("updated_at", Instant, nullable=False, comment="When the row was last written, for display"),
    sa.Column("cancel_requested_at", Instant, comment="When somebody first asked to stop it"),
    sa.Column(
        "progress_done", sa.BigInteger, nullable=False, comment="Work done, as the last heartbeat told"
    ),
    sa.Column("progress_total", sa.BigInteger, comment="Work in all; null = unknown"),
    sa.Column("progress_note", sa.Text, nullable=False, comment="Counts in words; never a file name"),
    sa.Column("result", sa.JSON(none_as_null=True), comment="Summary of what the run produced"),
    sa.Column("partial", sa.Boolean, nullable=False, comment="The result is of a cancelled run"),
    sa.Column("error", sa.Text, comment="Why it failed, was cancelled, or is tried again; never a file name"),
    sa.Column("error_code", sa.Text, comment="Stable word for the error"),
    sa.Column("revision", sa.BigInteger, nullable=False, comment="Grows by one with every write"),
    sa.Column(
        "change_xid",
        Position,
        nullable=False,
        server_default=sa.text("'0'"),
        comment="Which transaction wrote it last, set by a trigger; on SQLite the number of the change",
    ),
    sa.CheckConstraint(
        "status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')", name="known_status"
    ),
    sa.CheckConstraint("(status = 'running') = (lease_until IS NOT NULL)", name="leased_while_running"),
    sa.CheckConstraint(
        "(status IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL)",
        name="finished_once_terminal",
    ),
    sa.CheckConstraint("run_after IS NULL OR status = 'queued'", name="run_after_while_queued"),
    sa.CheckConstraint("attempt >= 0 AND stalls >= 0 AND retries >= 0", name="counts"),
    comment="Work items: durable requests for work",
    # Every item is updated some times in its life, a running one every 2 s: room for that on its own page. And
    # statistics must not stay those of an empty queue.
    postgresql_with={
        "fillfactor": 80,
        "autovacuum_analyze_scale_factor": 0,
        "autovacuum_analyze_threshold": 1000,
    },
)

waiting = work_items.c.status == sa.literal_column(f"'{Status.QUEUED}'")
running = work_items.c.status == sa.literal_column(f"'{Status.RUNNING}'")
sa.Index(
    "uq_work_items_waiting_dedup_key",
    work_items.c.dedup_key,
    unique=True,
    postgresql_where=waiting & work_items.c.dedup_key.is_not(None),
    sqlite_where=waiting & work_items.c.dedup_key.is_not(None),
)
# The claim's index. There is none on (requested_at, id): its mere existence misleads the planner (R1).
sa.Index(
    "ix_work_items_ready",
    work_items.c.kind,
    work_items.c.storage_config_id,
    work_items.c.requested_at,
    work_items.c.id,
    postgresql_where=waiting & work_items.c.run_after.is_(None),
    sqlite_where=waiting & work_items.c.run_after.is_(None),
)
sa.Index(
    "ix_work_items_later",
    work_items.c.kind,
    work_items.c.storage_config_id,
    work_items.c.run_after,
    work_items.c.id,
    postgresql_where=waiting & work_items.c.run_after.is_not(None),
    sqlite_where=waiting & work_items.c.run_after.is_not(None),
)
sa.Index(
    "ix_work_items_leases",
    work_items.c.lease_until,
    postgresql_where=running,
    sqlite_where=running,
)
sa.Index(
    "ix_work_items_history",
    work_items.c.dedup_key,
    work_items.c.finished_at,
    postgresql_where=work_items.c.dedup_key.is_not(None),
    sqlite_where=work_items.c.dedup_key.is_not(None),
)
# Of lists and of the change feed: each kind and status in the order of its changes.
sa.Index(
    "ix_work_items_changes",
    work_items.c.kind,
    work_items.c.status,
    work_items.c.change_xid,
    work_items.c.id,
)
sa.Index(
    "ix_work_items_requester",
    work_items.c.requested_by,
    work_items.c.kind,
    work_items.c.status,
    work_items.c.change_xid,
    work_items.c.id,
)
sa.Index(
    "ix_work_items_finished",
    work_items.c.finished_at,
    work_items.c.id,
    postgresql_where=work_items.c.finished_at.is_not(None),
    sqlite_where=work_items.c.finished_at.is_not(None),
)
# For lists, and for the removal of configs. It leaves the unscoped out, so that no claim of those can be planned on it.
scoped = work_items.c.storage_config_id.is_not(None)
sa.Index(
    "ix_work_items_scope",
    work_items.c.storage_config_id,
    work_items.c.requested_by,
    work_items.c.kind,
    work_items.c.status,
    work_items.c.change_xid,
    work_items.c.id,
    postgresql_where=scoped,
    sqlite_where=scoped,
)

feed_triggers.attach(work_items)

work_item_tombstones = sa.Table(
    "work_item_tombstones",
    metadata,
    sa.Column(
        "change_xid",
        Position,
        primary_key=True,
        autoincrement=False,
        comment="Which transaction deleted the item; on SQLite the number of the change",
    ),
    sa.Column("id", sa.Uuid, primary_key=True, comment="Which item is gone"),
    sa.Column("deleted_at", Instant, nullable=False, comment="When it went: it is remembered for some days"),
    comment="Items that are gone, written by a trigger, for those who have not heard of it yet",
)

change_feed = sa.Table(
    "change_feed",
    metadata,
    sa.Column("one", sa.Integer, primary_key=True, autoincrement=False, comment="There is one row: 1"),
    sa.Column("epoch", sa.Text, nullable=False, comment="Part of each cursor; another one makes all void"),
    sa.Column("origin", sa.Text, nullable=False, comment="Which copy of the database the epoch is for"),
    sa.Column("newest", sa.BigInteger, nullable=False, comment="SQLite: the number of the latest change"),
    sa.Column(
        "purged",
        Position,
        nullable=False,
        comment="The highest change_xid of the tombstones that were purged",
    ),
    sa.CheckConstraint("one = 1", name="single"),
    comment="What the cursors of the change feed are judged by",
)

work_item_attempts = sa.Table(
    "work_item_attempts",
    metadata,
    sa.Column(
        "work_item_id",
        sa.ForeignKey("work_items.id", ondelete="CASCADE"),
        primary_key=True,
        comment="Whose run it was",
    ),
    sa.Column("attempt", sa.Integer, primary_key=True, autoincrement=False, comment="Which run, from 1"),
    sa.Column("claimed_by", sa.Text, nullable=False, comment="Who ran it"),
    sa.Column("started_at", Instant, nullable=False, comment="When it was claimed"),
    sa.Column("ended_at", Instant, nullable=False, comment="When it ended"),
    sa.Column(
        "ended",
        sa.Text,
        nullable=False,
        comment="succeeded, failed, retried, cancelled, released, stalled or superseded",
    ),
    sa.Column("error", sa.Text, comment="Why this run failed; never a file name"),
    sa.Column("error_code", sa.Text, comment="Stable word for the error"),
    sa.CheckConstraint(
        "ended IN ('succeeded', 'failed', 'retried', 'cancelled', 'released', 'stalled', 'superseded')",
        name="known_end",
    ),
    comment="How each run of a work item ended: why did it run three times?",
)

workers = sa.Table(
    "workers",
    metadata,
    sa.Column("name", sa.Text, primary_key=True, comment="As in claimed_by: unique to one process run"),
    sa.Column(
        "user_id",
        sa.ForeignKey("users.id", ondelete="CASCADE"),
        index=True,
        comment="Whose items it serves; null = all",
    ),
    sa.Column("version", sa.Text, nullable=False, comment="Which version it runs"),
    sa.Column("slots", sa.Integer, nullable=False, comment="How many items it runs at once"),
    sa.Column("started_at", Instant, nullable=False, comment="When it was first seen"),
    sa.Column("last_seen_at", Instant, nullable=False, comment="When it last polled"),
    comment="Presence of workers, refreshed by their polls",
)
