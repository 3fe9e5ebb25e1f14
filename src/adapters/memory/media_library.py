"""The media library, in memory."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from adapters.memory.database import MemoryDatabase
from application.ports.errors import StoreRefused
from application.ports.live_photos import LivePhotos
from application.ports.media_failures import MediaFailures
from application.ports.media_library import (
    Added,
    AssetChange,
    MediaAssets,
    MediaLibrary,
    MovedTo,
    Replaced,
    SeenAgain,
    Stretch,
    Vanished,
)
from domain.ids import StorageConfigId, UserId
from domain.media.asset import KnownAsset, MediaAsset
from domain.media.capture_date import OF_THE_FILE, CaptureDate
from domain.media.content import ContentHash
from domain.media.failed_file import FailedFile, RememberedFailure
from domain.media.file import RelativePath
from domain.media.live_photo import FILM, PairCandidate, Pairing, pair_key
from domain.media.memories import DayOfYear

Key = tuple[StorageConfigId, RelativePath]
V = TypeVar("V")


class MemoryMediaLibrary(MediaLibrary, MediaAssets, LivePhotos):
    """One table by config and path. Assets of a removed config are as good as gone."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database
        self._assets = database.media_assets

    async def known(self, config: StorageConfigId, stretch: Stretch, *, limit: int) -> tuple[KnownAsset, ...]:
        async with self._database.step():
            within = in_order(stretch, {asset.path: asset for asset in self._of(config)})
            return tuple(asset.known for asset in within[:limit])

    async def holds(self, config: StorageConfigId, content: ContentHash) -> bool:
        async with self._database.step():
            return any(asset.content == content for asset in self._of(config))

    async def gone(
        self, config: StorageConfigId, contents: Collection[ContentHash]
    ) -> tuple[KnownAsset, ...]:
        async with self._database.step():
            return tuple(
                asset.known for asset in self._of(config) if asset.is_gone and asset.content in contents
            )

    async def get(self, config: StorageConfigId, path: RelativePath) -> MediaAsset | None:
        async with self._database.step():
            return self._asset(config, path)

    async def of_content(self, config: StorageConfigId, content: ContentHash) -> MediaAsset | None:
        async with self._database.step():
            return next((asset for asset in self._of(config) if asset.content == content), None)

    async def captured_on(
        self, days: Collection[DayOfYear], *, user: UserId | None
    ) -> tuple[MediaAsset, ...]:
        async with self._database.step():
            dated = [
                (captured.day, captured.wall_time, asset)
                for config in self._database.storage_configs.values()
                if user in {None, config.user_id}
                for asset in self._of(config.id)
                if not asset.is_gone and (captured := asset.captured) is not None
                if DayOfYear(captured.day.month, captured.day.day) in days
            ]
            dated.sort(key=lambda one: (one[0], one[1], one[2].id), reverse=True)
            return tuple(asset for _, _, asset in dated)

    async def store(self, asset: MediaAsset) -> Added | Replaced:
        async with self._database.step():
            if asset.storage_config_id not in self._database.storage_configs:
                raise StoreRefused("the storage config does not exist")
            earlier = self._asset(asset.storage_config_id, asset.path)
            kept = (
                asset if earlier is None else replace(asset, id=earlier.id, paired_with=earlier.paired_with)
            )
            self._assets[asset.storage_config_id, asset.path] = kept
            return Added() if earlier is None else Replaced()

    async def change(self, config: StorageConfigId, changes: Sequence[AssetChange], *, at: datetime) -> None:
        async with self._database.step():
            for change in changes:
                self._change(config, change, at)

    async def candidates(self, config: StorageConfigId) -> tuple[PairCandidate, ...]:
        async with self._database.step():
            everyone = list(self._of(config))
            films = {
                pair_key(asset.path) for asset in everyone if asset.media_type is FILM and not asset.is_gone
            }
            return tuple(
                _candidate(asset)
                for asset in everyone
                if asset.paired_with is not None or pair_key(asset.path) in films
            )

    async def pair(self, config: StorageConfigId, pairings: Sequence[Pairing]) -> None:
        async with self._database.step():
            halves = {pairing.asset: pairing.half for pairing in pairings}
            for asset in list(self._of(config)):
                if asset.id in halves:
                    self._assets[config, asset.path] = replace(asset, paired_with=halves[asset.id])

    def _change(self, config: StorageConfigId, change: AssetChange, at: datetime) -> None:
        read = change.move.asset if isinstance(change, MovedTo) else change.asset
        asset = self._asset(config, read.path)
        if asset is None or asset.known != read:
            return
        match change:
            case SeenAgain(signature=signature):
                self._assets[config, asset.path] = replace(
                    asset, signature=signature, is_gone=False, seen_at=at
                )
            case Vanished():
                self._assets[config, asset.path] = replace(asset, is_gone=True)
            case MovedTo(move, captured):
                if self._asset(config, move.to.path) is None:
                    del self._assets[config, asset.path]
                    self._assets[config, move.to.path] = replace(
                        asset,
                        path=move.to.path,
                        signature=move.to.signature,
                        captured=captured if _is_by_name(asset.captured) else asset.captured,
                        is_gone=False,
                        seen_at=at,
                    )

    def _of(self, config: StorageConfigId) -> Iterable[MediaAsset]:
        if config in self._database.storage_configs:
            yield from (asset for (owner, _), asset in self._assets.items() if owner == config)

    def _asset(self, config: StorageConfigId, path: RelativePath) -> MediaAsset | None:
        if config not in self._database.storage_configs:
            return None
        return self._assets.get((config, path))


class MemoryMediaFailures(MediaFailures):
    """One table by config and path."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database
        self._failures: dict[Key, RememberedFailure] = database.table()

    async def known(
        self, config: StorageConfigId, stretch: Stretch, *, limit: int
    ) -> tuple[RememberedFailure, ...]:
        async with self._database.step():
            if config not in self._database.storage_configs:
                return ()
            of_config = {path: row for (owner, path), row in self._failures.items() if owner == config}
            return tuple(in_order(stretch, of_config)[:limit])

    async def record(self, config: StorageConfigId, failures: Sequence[FailedFile], *, at: datetime) -> None:
        async with self._database.step():
            if config not in self._database.storage_configs:
                raise StoreRefused("the storage config does not exist")
            for failed in failures:
                earlier = self._failures.get((config, failed.path))
                first = at if earlier is None else earlier.first_seen_at
                self._failures[config, failed.path] = RememberedFailure(failed, first, at)

    async def forget(self, config: StorageConfigId, paths: Sequence[RelativePath]) -> None:
        async with self._database.step():
            for path in paths:
                self._failures.pop((config, path), None)


def in_order(stretch: Stretch, by_path: dict[RelativePath, V]) -> list[V]:
    """What lies in the stretch, in the order of paths."""
    return [
        by_path[path]
        for path in sorted(by_path)
        if (stretch.after is None or path > stretch.after)
        and (stretch.until is None or path <= stretch.until)
    ]


def _is_by_name(captured: CaptureDate | None) -> bool:
    return captured is None or captured.source in OF_THE_FILE


def _candidate(asset: MediaAsset) -> PairCandidate:
    return PairCandidate(
        id=asset.id,
        path=asset.path,
        media_type=asset.media_type,
        captured=asset.captured,
        content_identifier=asset.metadata.content_identifier,
        is_gone=asset.is_gone,
        paired_with=asset.paired_with,
    )
