"""What the command line shows of a photo library to those whose it is. The web API never names a file."""

from msgspec import Struct

from adapters.web.views.instants import Instant, instant
from domain.media.asset import MediaAsset
from domain.media.failed_file import RememberedFailure
from domain.media.file import path_text
from domain.media.metadata import Metadata


class MemoryView(Struct, frozen=True, kw_only=True, rename="camel"):
    """A picture or a film, and when it was taken: the local time as it was written, not an instant."""

    id: str
    storage_config_id: str
    path: str
    media_type: str
    year: int
    taken_at: str
    utc_offset_minutes: int | None
    date_source: str
    width: int | None
    height: int | None
    latitude: float | None
    longitude: float | None
    paired_with: str | None


class MemoriesView(Struct, frozen=True):
    """Everything of one day of the calendar, the newest first."""

    days: tuple[str, ...]
    items: tuple[MemoryView, ...]


class FailureView(Struct, frozen=True, kw_only=True, rename="camel"):
    """A file that could not be taken in, and why. A folder's path ends in a slash."""

    path: str
    reason: str
    size: int
    first_seen_at: Instant
    last_seen_at: Instant


class FailuresView(Struct, frozen=True):
    """Every such file of one photo folder, in the order of paths."""

    items: tuple[FailureView, ...]


def memory_view(asset: MediaAsset) -> MemoryView:
    """The asset as its owner sees it. Its date must be known."""
    captured, said = asset.captured, asset.metadata
    assert captured is not None  # noqa: S101 -- it was found by its date
    return MemoryView(
        id=str(asset.id),
        storage_config_id=str(asset.storage_config_id),
        path=path_text(asset.path),
        media_type=asset.media_type.value,
        year=captured.day.year,
        taken_at=f"{captured.day.isoformat()}T{captured.wall_time.isoformat()}",
        utc_offset_minutes=None if captured.offset is None else int(captured.offset.total_seconds() // 60),
        date_source=captured.source.value,
        width=said.width,
        height=said.height,
        latitude=None if said.place is None else said.place.latitude,
        longitude=None if said.place is None else said.place.longitude,
        paired_with=None if asset.paired_with is None else str(asset.paired_with),
    )


def failure_view(failure: RememberedFailure) -> FailureView:
    """The failure as the library's owner sees it."""
    return FailureView(
        path=path_text(failure.failed.path),
        reason=failure.failed.reason.value,
        size=failure.failed.size,
        first_seen_at=instant(failure.first_seen_at),
        last_seen_at=instant(failure.last_seen_at),
    )


def place_words(said: Metadata) -> str:
    """Where it was, in degrees north and east; empty where nobody knows."""
    return "" if said.place is None else f"{said.place.latitude:.5f}, {said.place.longitude:.5f}"
