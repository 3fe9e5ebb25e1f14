"""Create everything: accounts, the queue, the media library.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

Instant = sa.DateTime(timezone=True).with_variant(sa.String(24), "sqlite")


def upgrade() -> None:
    """From nothing. There is no way back but a backup."""
    create_users()
    create_storage_configs()
    create_refresh_tokens()
    create_work_items()
    create_work_item_attempts()
    create_workers()
    create_media_assets()
    create_media_metadata()
    create_media_proxies()
    comment_version_table()


def create_partial_index(name: str, table: str, columns: list[str], *, where: str, unique: bool = False) -> None:
    """An index of only the rows `where` this holds, on either dialect."""
    rows = sa.text(where)
    op.create_index(name, table, columns, unique=unique, postgresql_where=rows, sqlite_where=rows)


def create_users() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid, nullable=False, comment="UUIDv7"),
        sa.Column("name", sa.Text, nullable=False, comment="What people call the account, as they write it"),
        sa.Column("name_key", sa.Text, nullable=False, comment="The name, capitals aside"),
        sa.Column("email", sa.Text, nullable=False, comment="E-mail address, as they write it"),
        sa.Column("email_key", sa.Text, nullable=False, comment="The address, capitals aside"),
        sa.Column("password_hash", sa.Text, nullable=False, comment="Argon2id hash with its parameters"),
        sa.Column("is_admin", sa.Boolean, nullable=False, comment="May see and cancel everybody's work"),
        sa.Column("is_disabled", sa.Boolean, nullable=False, comment="May not sign in; tokens are refused at once"),
        sa.Column("created_at", Instant, nullable=False, comment="When the account was added"),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("email_key", name="uq_users_email_key"),
        sa.UniqueConstraint("name_key", name="uq_users_name_key"),
        comment="Accounts. Roles are judged by this table, not by what a token says",
    )


def create_storage_configs() -> None:
    op.create_table(
        "storage_configs",
        sa.Column("id", sa.Uuid, nullable=False, comment="UUIDv7; the scope of the work on this folder"),
        sa.Column("user_id", sa.Uuid, nullable=False, comment="Whose folder it is"),
        sa.Column("root_path", sa.Text, nullable=False, comment="Absolute path of the photo folder"),
        sa.Column("is_active", sa.Boolean, nullable=False, comment="Whether it is crawled"),
        sa.Column("created_at", Instant, nullable=False, comment="When it was added"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_storage_configs_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_storage_configs"),
        sa.UniqueConstraint("root_path", name="uq_storage_configs_root_path"),
        comment="Photo folders. What belongs to one goes when it goes",
    )
    op.create_index("ix_storage_configs_user_id", "storage_configs", ["user_id"])


def create_refresh_tokens() -> None:
    op.create_table(
        "refresh_tokens",
        sa.Column("id", sa.Uuid, nullable=False, comment="UUIDv7"),
        sa.Column("user_id", sa.Uuid, nullable=False, comment="Whose token it is"),
        sa.Column("token_hash", sa.LargeBinary, nullable=False, comment="SHA-256 of the token"),
        sa.Column("created_at", Instant, nullable=False, comment="When it was given out"),
        sa.Column("expires_at", Instant, nullable=False, comment="Refused, and soon deleted, after this"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_refresh_tokens_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_refresh_tokens"),
        sa.UniqueConstraint("token_hash", name="uq_refresh_tokens_token_hash"),
        comment="Refresh tokens, hashed at rest",
    )
    op.create_index("ix_refresh_tokens_expires_at", "refresh_tokens", ["expires_at"])
    op.create_index("ix_refresh_tokens_user_id", "refresh_tokens", ["user_id"])


def create_work_items() -> None:
    op.create_table(
        "work_items",
        sa.Column("id", sa.Uuid, nullable=False, comment="UUIDv7, made by whoever asked"),
        sa.Column("kind", sa.Text, nullable=False, comment="What the work is; may be unknown to this version"),
        sa.Column("payload", sa.JSON, nullable=False, comment="What was asked for, as its kind defines it"),
        sa.Column("storage_config_id", sa.Uuid, comment="Scope; null = unscoped. The item goes when the config goes"),
        sa.Column("dedup_key", sa.Text, comment="At most one queued item may hold a key; null = never coalesced"),
        sa.Column("requested_by", sa.Uuid, comment="Who asked; null = the schedule"),
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
        sa.Column("progress_done", sa.BigInteger, nullable=False, comment="Work done, as the last heartbeat told"),
        sa.Column("progress_total", sa.BigInteger, comment="Work in all; null = unknown"),
        sa.Column("progress_note", sa.Text, nullable=False, comment="Counts in words; never a file name"),
        sa.Column("result", sa.JSON(none_as_null=True), comment="Summary of what the run produced"),
        sa.Column("partial", sa.Boolean, nullable=False, comment="The result is of a cancelled run"),
        sa.Column("error", sa.Text, comment="Why it failed, was cancelled, or is tried again; never a file name"),
        sa.Column("error_code", sa.Text, comment="Stable word for the error"),
        sa.Column("revision", sa.BigInteger, nullable=False, comment="Grows by one with every write"),
        sa.CheckConstraint(
            "(status = 'running') = (lease_until IS NOT NULL)", name="ck_work_items_leased_while_running"
        ),
        sa.CheckConstraint(
            "(status IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL)",
            name="ck_work_items_finished_once_terminal",
        ),
        sa.CheckConstraint("run_after IS NULL OR status = 'queued'", name="ck_work_items_run_after_while_queued"),
        sa.CheckConstraint(
            "status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')", name="ck_work_items_known_status"
        ),
        sa.CheckConstraint("attempt >= 0 AND stalls >= 0 AND retries >= 0", name="ck_work_items_counts"),
        sa.ForeignKeyConstraint(["requested_by"], ["users.id"], name="fk_work_items_requested_by"),
        sa.ForeignKeyConstraint(
            ["storage_config_id"], ["storage_configs.id"], name="fk_work_items_storage_config_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_work_items"),
        comment="Work items: durable requests for work",
        postgresql_with={"fillfactor": 80, "autovacuum_analyze_scale_factor": 0, "autovacuum_analyze_threshold": 1000},
    )
    op.create_index("ix_work_items_changes", "work_items", ["status", "updated_at", "id"])
    create_partial_index("ix_work_items_finished", "work_items", ["finished_at", "id"], where="finished_at IS NOT NULL")
    create_partial_index(
        "ix_work_items_history", "work_items", ["dedup_key", "finished_at"], where="dedup_key IS NOT NULL"
    )
    create_partial_index(
        "ix_work_items_later",
        "work_items",
        ["kind", "storage_config_id", "run_after", "id"],
        where="status = 'queued' AND run_after IS NOT NULL",
    )
    create_partial_index("ix_work_items_leases", "work_items", ["lease_until"], where="status = 'running'")
    create_partial_index(
        "ix_work_items_ready",
        "work_items",
        ["kind", "storage_config_id", "requested_at", "id"],
        where="status = 'queued' AND run_after IS NULL",
    )
    create_partial_index(
        "ix_work_items_scope", "work_items", ["storage_config_id"], where="storage_config_id IS NOT NULL"
    )
    create_partial_index(
        "uq_work_items_waiting_dedup_key",
        "work_items",
        ["dedup_key"],
        unique=True,
        where="status = 'queued' AND dedup_key IS NOT NULL",
    )


def create_work_item_attempts() -> None:
    op.create_table(
        "work_item_attempts",
        sa.Column("work_item_id", sa.Uuid, nullable=False, comment="Whose run it was"),
        sa.Column("attempt", sa.Integer, autoincrement=False, nullable=False, comment="Which run, from 1"),
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
            name="ck_work_item_attempts_known_end",
        ),
        sa.ForeignKeyConstraint(
            ["work_item_id"], ["work_items.id"], name="fk_work_item_attempts_work_item_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("work_item_id", "attempt", name="pk_work_item_attempts"),
        comment="How each run of a work item ended: why did it run three times?",
    )


def create_workers() -> None:
    op.create_table(
        "workers",
        sa.Column("name", sa.Text, nullable=False, comment="As in claimed_by: unique to one process run"),
        sa.Column("user_id", sa.Uuid, comment="Whose items it serves; null = all"),
        sa.Column("version", sa.Text, nullable=False, comment="Which version it runs"),
        sa.Column("slots", sa.Integer, nullable=False, comment="How many items it runs at once"),
        sa.Column("started_at", Instant, nullable=False, comment="When it was first seen"),
        sa.Column("last_seen_at", Instant, nullable=False, comment="When it last polled"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_workers_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("name", name="pk_workers"),
        comment="Presence of workers, refreshed by their polls",
    )
    op.create_index("ix_workers_user_id", "workers", ["user_id"])


def create_media_assets() -> None:
    op.create_table(
        "media_assets",
        sa.Column("id", sa.Uuid, nullable=False, comment="UUIDv7"),
        sa.Column("storage_config_id", sa.Uuid, nullable=False, comment="Whose folder it lies in"),
        sa.Column("file_path", sa.LargeBinary, nullable=False, comment="Path below the root, byte for byte"),
        sa.Column(
            "file_name", sa.Text, nullable=False, comment="Last part of the path, readable; escaped if not UTF-8"
        ),
        sa.Column("content_hash", sa.LargeBinary, nullable=False, comment="BLAKE3-256 of the bytes read"),
        sa.Column("size", sa.BigInteger, nullable=False, comment="Bytes"),
        sa.Column("mtime_ns", sa.BigInteger, nullable=False, comment="Modification time, nanoseconds since 1970"),
        sa.Column("ctime_ns", sa.BigInteger, nullable=False, comment="Change time, nanoseconds since 1970"),
        sa.Column("inode", sa.BigInteger, nullable=False, comment="Inode number, wrapped to 64 signed bits"),
        sa.Column("media_type", sa.Text, nullable=False, comment="By content, not by extension: image/jpeg, ..."),
        sa.Column("date_captured", sa.Text, comment="Local wall time as written: YYYY-MM-DDTHH:MM:SS[.ffffff]"),
        sa.Column("utc_offset", sa.Text, comment="Offset of the local time, +HH:MM; null = unknown"),
        sa.Column("date_source", sa.Text, comment="Where the date was found"),
        sa.Column("year", sa.Integer, comment="Of the local capture date"),
        sa.Column("month", sa.Integer, comment="Of the local capture date"),
        sa.Column("day", sa.Integer, comment="Of the local capture date"),
        sa.Column("is_soft_deleted", sa.Boolean, nullable=False, comment="Gone from the folder"),
        sa.Column("first_seen_at", Instant, nullable=False, comment="When a crawl first found it"),
        sa.Column("last_seen_at", Instant, nullable=False, comment="When a crawl last found it"),
        sa.Column("paired_asset_id", sa.Uuid, comment="Live Photo half"),
        sa.ForeignKeyConstraint(
            ["paired_asset_id"], ["media_assets.id"], name="fk_media_assets_paired_asset_id", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["storage_config_id"], ["storage_configs.id"], name="fk_media_assets_storage_config_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_media_assets"),
        sa.UniqueConstraint("storage_config_id", "file_path", name="uq_media_assets_storage_config_id_file_path"),
        comment="One row a file. Copies in two folders stay two rows",
    )
    op.create_index("ix_media_assets_content", "media_assets", ["storage_config_id", "content_hash"])
    op.create_index("ix_media_assets_on_this_day", "media_assets", ["month", "day"])
    op.create_index("ix_media_assets_pair", "media_assets", ["paired_asset_id"])


def create_media_metadata() -> None:
    op.create_table(
        "media_metadata",
        sa.Column("asset_id", sa.Uuid, nullable=False, comment="Whose it is"),
        sa.Column("width", sa.Integer, nullable=False, comment="Pixels, as displayed"),
        sa.Column("height", sa.Integer, nullable=False, comment="Pixels, as displayed"),
        sa.Column("orientation", sa.Integer, nullable=False, comment="EXIF orientation of the original, 1 to 8"),
        sa.Column("latitude", sa.Double, comment="Degrees north"),
        sa.Column("longitude", sa.Double, comment="Degrees east"),
        sa.Column("camera_make", sa.Text, comment="EXIF Make"),
        sa.Column("camera_model", sa.Text, comment="EXIF Model"),
        sa.Column("lens_model", sa.Text, comment="EXIF LensModel"),
        sa.Column("duration_ms", sa.BigInteger, comment="Videos: milliseconds"),
        sa.Column("blurhash", sa.Text, comment="A 4 by 3 placeholder picture"),
        sa.ForeignKeyConstraint(
            ["asset_id"], ["media_assets.id"], name="fk_media_metadata_asset_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("asset_id", name="pk_media_metadata"),
        comment="What an asset's file says of itself",
    )


def create_media_proxies() -> None:
    op.create_table(
        "media_proxies",
        sa.Column("asset_id", sa.Uuid, nullable=False, comment="Whose it is"),
        sa.Column("proxy_type", sa.Text, nullable=False, comment="thumbnail or preview"),
        sa.Column("path", sa.Text, nullable=False, comment="Below the proxies folder"),
        sa.Column("size", sa.BigInteger, nullable=False, comment="Bytes"),
        sa.Column("width", sa.Integer, nullable=False, comment="Pixels"),
        sa.Column("height", sa.Integer, nullable=False, comment="Pixels"),
        sa.Column("created_at", Instant, nullable=False, comment="When the row was written"),
        sa.ForeignKeyConstraint(
            ["asset_id"], ["media_assets.id"], name="fk_media_proxies_asset_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("asset_id", "proxy_type", name="pk_media_proxies"),
        comment="Small pictures made of an asset",
    )


def comment_version_table() -> None:
    """Say what Alembic's own table is for, where an engine keeps comments."""
    if op.get_context().dialect.supports_comments:
        op.execute("COMMENT ON TABLE alembic_version IS 'Which migration ran last'")
        op.execute("COMMENT ON COLUMN alembic_version.version_num IS 'Its revision'")
