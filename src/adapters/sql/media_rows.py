"""Media assets as rows, and back."""

from collections.abc import Iterable, Mapping
from datetime import date, time, timedelta
from typing import Any, Final

import sqlalchemy as sa

from domain.ids import StorageConfigId
from domain.media.asset import AssetId, KnownAsset, MediaAsset
from domain.media.capture_date import CaptureDate, DateSource
from domain.media.content import ContentHash, MediaType
from domain.media.file import FileSignature, RelativePath, file_name
from domain.media.live_photo import PairCandidate, pair_key
from domain.media.metadata import Metadata, Orientation
from domain.media.place import Place
from domain.media.proxy import ProxyFile, ProxyKind

MINUTE: Final = timedelta(minutes=1)
MILLISECOND: Final = timedelta(milliseconds=1)


def asset_row(asset: MediaAsset) -> dict[str, Any]:
    """What the assets' table holds of it, apart from its id and from when it was first seen."""
    return {
        "storage_config_id": asset.storage_config_id,
        "file_path": asset.path,
        "file_name": file_name(asset.path),
        "pair_key": pair_key(asset.path),
        "content_hash": asset.content.digest,
        **signature_row(asset.signature),
        "media_type": asset.media_type.value,
        **date_row(asset.captured),
        "is_soft_deleted": False,
        "last_seen_at": asset.seen_at,
    }


def signature_row(signature: FileSignature) -> dict[str, int]:
    """What tells an unchanged file."""
    return {
        "size": signature.size,
        "mtime_ns": signature.mtime_ns,
        "ctime_ns": signature.ctime_ns,
        "inode": signature.inode,
    }


def metadata_row(asset: MediaAsset, asset_id: AssetId) -> dict[str, Any]:
    """What the metadata's table holds of it."""
    said = asset.metadata
    return {
        "asset_id": asset_id,
        "width": said.width,
        "height": said.height,
        "orientation": int(said.orientation),
        "latitude": said.place.latitude if said.place else None,
        "longitude": said.place.longitude if said.place else None,
        "camera_make": said.camera_make or None,
        "camera_model": said.camera_model or None,
        "lens_model": said.lens_model or None,
        "duration_ms": None if said.duration is None else said.duration // MILLISECOND,
        "content_identifier": said.content_identifier or None,
        "blurhash": asset.blurhash,
    }


def proxy_rows(asset: MediaAsset, asset_id: AssetId) -> list[dict[str, Any]]:
    """What the proxies' table holds of it."""
    return [
        {
            "asset_id": asset_id,
            "proxy_type": proxy.kind.value,
            "path": proxy.path,
            "size": proxy.size,
            "width": proxy.width,
            "height": proxy.height,
            "created_at": asset.seen_at,
        }
        for proxy in asset.proxies
    ]


def known_asset(row: sa.Row[Any]) -> KnownAsset:
    """As much of an asset as a crawl asks for."""
    return KnownAsset(
        AssetId(row.id),
        RelativePath(row.file_path),
        _signature(row),
        ContentHash(row.content_hash),
        row.is_soft_deleted,
    )


def media_asset(row: sa.Row[Any], proxies: Iterable[sa.Row[Any]]) -> MediaAsset:
    """The whole asset, from its row joined with that of its metadata, and the rows of its proxies."""
    return MediaAsset(
        id=AssetId(row.id),
        storage_config_id=StorageConfigId(row.storage_config_id),
        path=RelativePath(row.file_path),
        signature=_signature(row),
        content=ContentHash(row.content_hash),
        media_type=MediaType(row.media_type),
        captured=_captured(row),
        metadata=_metadata(row),
        blurhash=row.blurhash,
        proxies=tuple(
            ProxyFile(ProxyKind(proxy.proxy_type), proxy.path, proxy.size, proxy.width, proxy.height)
            for proxy in proxies
        ),
        seen_at=row.last_seen_at,
        is_gone=row.is_soft_deleted,
        paired_with=None if row.paired_asset_id is None else AssetId(row.paired_asset_id),
    )


def pair_candidate(row: sa.Row[Any]) -> PairCandidate:
    """As much of an asset, and of its metadata, as tells what it belongs to."""
    return PairCandidate(
        id=AssetId(row.id),
        path=RelativePath(row.file_path),
        media_type=MediaType(row.media_type),
        captured=_captured(row),
        content_identifier=row.content_identifier or "",
        is_gone=row.is_soft_deleted,
        paired_with=None if row.paired_asset_id is None else AssetId(row.paired_asset_id),
    )


def date_row(captured: CaptureDate | None) -> Mapping[str, Any]:
    """What the assets' table holds of a capture date."""
    if captured is None:
        return dict.fromkeys(("date_captured", "utc_offset", "date_source", "year", "month", "day"))
    return {
        "date_captured": f"{captured.day.isoformat()}T{captured.wall_time.isoformat()}",
        "utc_offset": None if captured.offset is None else _offset_text(captured.offset),
        "date_source": captured.source.value,
        "year": captured.day.year,
        "month": captured.day.month,
        "day": captured.day.day,
    }


def _captured(row: sa.Row[Any]) -> CaptureDate | None:
    if row.date_captured is None:
        return None
    day, _, wall_time = row.date_captured.partition("T")
    return CaptureDate(
        date.fromisoformat(day),
        time.fromisoformat(wall_time),
        None if row.utc_offset is None else _offset(row.utc_offset),
        DateSource(row.date_source),
    )


def _offset_text(offset: timedelta) -> str:
    hours, minutes = divmod(abs(offset) // MINUTE, 60)
    return f"{'-' if offset < timedelta() else '+'}{hours:02d}:{minutes:02d}"


def _offset(text: str) -> timedelta:
    hours, _, minutes = text[1:].partition(":")
    offset = timedelta(hours=int(hours), minutes=int(minutes))
    return -offset if text.startswith("-") else offset


def _signature(row: sa.Row[Any]) -> FileSignature:
    return FileSignature(size=row.size, mtime_ns=row.mtime_ns, ctime_ns=row.ctime_ns, inode=row.inode)


def _metadata(row: sa.Row[Any]) -> Metadata:
    return Metadata(
        width=row.width,
        height=row.height,
        orientation=Orientation(row.orientation),
        place=None if row.latitude is None else Place(row.latitude, row.longitude),
        camera_make=row.camera_make or "",
        camera_model=row.camera_model or "",
        lens_model=row.lens_model or "",
        duration=None if row.duration_ms is None else row.duration_ms * MILLISECOND,
        content_identifier=row.content_identifier or "",
    )
