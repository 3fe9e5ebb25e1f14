"""What becomes of assets whose content did not change, as statements."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from adapters.sql.media_rows import date_row, signature_row
from adapters.sql.media_tables import media_assets
from application.ports.media_library import AssetChange, MovedTo, SeenAgain, Vanished
from domain.ids import StorageConfigId
from domain.media.asset import KnownAsset
from domain.media.capture_date import OF_THE_FILE
from domain.media.file import file_name
from domain.media.live_photo import pair_key

ASSETS: Final = media_assets.c
BY_NAME: Final = tuple(sorted(source.value for source in OF_THE_FILE))
SIGNATURE: Final = ("size", "mtime_ns", "ctime_ns", "inode")
DATE: Final = ("date_captured", "utc_offset", "date_source", "year", "month", "day")

AS_READ: Final = (
    (ASSETS.id == sa.bindparam("asset"))
    & (ASSETS.file_path == sa.bindparam("read_path"))
    & sa.and_(*(ASSETS[name] == sa.bindparam(f"read_{name}") for name in SIGNATURE))
    & (ASSETS.is_soft_deleted == sa.bindparam("read_gone"))
)
"""The row is what it was when it was read."""

VANISH: Final = sa.update(media_assets).where(AS_READ).values(is_soft_deleted=True)

SEE_AGAIN: Final = (
    sa.update(media_assets)
    .where(AS_READ)
    .values({name: sa.bindparam(f"new_{name}") for name in SIGNATURE})
    .values(is_soft_deleted=False, last_seen_at=sa.bindparam("at"))
)

_there = media_assets.alias("there")
MOVE: Final = (
    SEE_AGAIN.where(
        ~sa.exists().where(
            _there.c.storage_config_id == sa.bindparam("config"),
            _there.c.file_path == sa.bindparam("new_path"),
        )
    )
    .values(
        file_path=sa.bindparam("new_path"),
        file_name=sa.bindparam("new_name"),
        pair_key=sa.bindparam("new_key"),
    )
    .returning(ASSETS.id)
)

DATE_BY_NAME: Final = (
    sa.update(media_assets)
    .where(ASSETS.id == sa.bindparam("asset"), ASSETS.date_source.is_(None) | ASSETS.date_source.in_(BY_NAME))
    .values({name: sa.bindparam(f"new_{name}") for name in DATE})
)


def write_changes(
    connection: sa.Connection, config: StorageConfigId, changes: Sequence[AssetChange], at: datetime
) -> None:
    """Write each that still fits its row."""
    vanished = [_as_read(change.asset) for change in changes if isinstance(change, Vanished)]
    if vanished:
        connection.execute(VANISH, vanished)
    seen = [
        {**_as_read(change.asset), **_new(signature_row(change.signature)), "at": at}
        for change in changes
        if isinstance(change, SeenAgain)
    ]
    if seen:
        connection.execute(SEE_AGAIN, seen)
    for change in changes:
        if isinstance(change, MovedTo):
            _move(connection, config, change, at)


def _move(connection: sa.Connection, config: StorageConfigId, change: MovedTo, at: datetime) -> None:
    asset, to = change.move.asset, change.move.to
    moved = {
        **_as_read(asset),
        **_new(signature_row(to.signature)),
        "config": config,
        "new_path": to.path,
        "new_name": file_name(to.path),
        "new_key": pair_key(to.path),
        "at": at,
    }
    if connection.execute(MOVE, moved).all():
        connection.execute(DATE_BY_NAME, {"asset": asset.id, **_new(date_row(change.captured))})


def _as_read(asset: KnownAsset) -> Mapping[str, Any]:
    signature = {f"read_{name}": value for name, value in signature_row(asset.signature).items()}
    return {"asset": asset.id, "read_path": asset.path, "read_gone": asset.is_gone, **signature}


def _new(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {f"new_{name}": value for name, value in row.items()}
