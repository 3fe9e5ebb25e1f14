"""The tables of the media library, for both dialects."""

import sqlalchemy as sa

from adapters.sql.tables import metadata
from adapters.sql.types import Instant

media_assets = sa.Table(
    "media_assets",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True, comment="UUIDv7"),
    sa.Column(
        "storage_config_id",
        sa.ForeignKey("storage_configs.id", ondelete="CASCADE"),
        nullable=False,
        comment="Whose folder it lies in",
    ),
    sa.Column("file_path", sa.LargeBinary, nullable=False, comment="Path below the root, byte for byte"),
    sa.Column(
        "file_name", sa.Text, nullable=False, comment="Last part of the path, readable; escaped if not UTF-8"
    ),
    sa.Column(
        "pair_key", sa.LargeBinary, comment="Path without its suffix, capitals aside: finds Live Photos"
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
    sa.Column(
        "last_seen_at",
        Instant,
        nullable=False,
        comment="When a crawl last wrote that it is there; of an unchanged file nothing is written",
    ),
    sa.Column(
        "paired_asset_id", sa.ForeignKey("media_assets.id", ondelete="SET NULL"), comment="Live Photo half"
    ),
    sa.UniqueConstraint("storage_config_id", "file_path"),
    comment="One row a file. Copies in two folders stay two rows",
)
sa.Index("ix_media_assets_on_this_day", media_assets.c.month, media_assets.c.day)
sa.Index("ix_media_assets_content", media_assets.c.storage_config_id, media_assets.c.content_hash)
sa.Index("ix_media_assets_pair_key", media_assets.c.storage_config_id, media_assets.c.pair_key)
sa.Index("ix_media_assets_pair", media_assets.c.paired_asset_id)

media_metadata = sa.Table(
    "media_metadata",
    metadata,
    sa.Column(
        "asset_id",
        sa.ForeignKey("media_assets.id", ondelete="CASCADE"),
        primary_key=True,
        comment="Whose it is",
    ),
    sa.Column("width", sa.Integer, comment="Pixels, as displayed; null = nobody could look"),
    sa.Column("height", sa.Integer, comment="Pixels, as displayed; null = nobody could look"),
    sa.Column("orientation", sa.Integer, nullable=False, comment="EXIF orientation of the original, 1 to 8"),
    sa.Column("latitude", sa.Double, comment="Degrees north"),
    sa.Column("longitude", sa.Double, comment="Degrees east"),
    sa.Column("camera_make", sa.Text, comment="EXIF Make"),
    sa.Column("camera_model", sa.Text, comment="EXIF Model"),
    sa.Column("lens_model", sa.Text, comment="EXIF LensModel"),
    sa.Column("duration_ms", sa.BigInteger, comment="Videos: milliseconds"),
    sa.Column("content_identifier", sa.Text, comment="What both halves of a Live Photo say they belong to"),
    sa.Column("blurhash", sa.Text, comment="A 4 by 3 placeholder picture"),
    comment="What an asset's file says of itself",
)

media_proxies = sa.Table(
    "media_proxies",
    metadata,
    sa.Column(
        "asset_id",
        sa.ForeignKey("media_assets.id", ondelete="CASCADE"),
        primary_key=True,
        comment="Whose it is",
    ),
    sa.Column("proxy_type", sa.Text, primary_key=True, comment="thumbnail or preview"),
    sa.Column("path", sa.Text, nullable=False, comment="Below the proxies folder"),
    sa.Column("size", sa.BigInteger, nullable=False, comment="Bytes"),
    sa.Column("width", sa.Integer, nullable=False, comment="Pixels"),
    sa.Column("height", sa.Integer, nullable=False, comment="Pixels"),
    sa.Column("created_at", Instant, nullable=False, comment="When the row was written"),
    comment="Small pictures made of an asset",
)
sa.Index("ix_media_proxies_path", media_proxies.c.path)

media_failures = sa.Table(
    "media_failures",
    metadata,
    sa.Column(
        "storage_config_id",
        sa.ForeignKey("storage_configs.id", ondelete="CASCADE"),
        primary_key=True,
        comment="Whose folder it lies in",
    ),
    sa.Column(
        "file_path",
        sa.LargeBinary,
        primary_key=True,
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
    comment="Files that could not be taken in: not tried again until they change. For their owner, not for the web",
)
