"""The media library, in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from adapters.memory.database import MemoryDatabase
from application.ports.errors import StoreRefused
from application.ports.media_library import Added, MediaLibrary, Replaced
from domain.ids import StorageConfigId
from domain.media.asset import KnownAsset, MediaAsset
from domain.media.file import RelativePath


class MemoryMediaLibrary(MediaLibrary):
    """One table by config and path. Assets of a removed config are as good as gone."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database
        self._assets: dict[tuple[StorageConfigId, RelativePath], MediaAsset] = database.table()

    async def known(
        self, config: StorageConfigId, paths: Sequence[RelativePath]
    ) -> Mapping[RelativePath, KnownAsset]:
        async with self._database.step():
            return {path: asset.known for path in paths if (asset := self._asset(config, path)) is not None}

    async def get(self, config: StorageConfigId, path: RelativePath) -> MediaAsset | None:
        async with self._database.step():
            return self._asset(config, path)

    async def mark_seen(self, assets: Sequence[KnownAsset], *, at: datetime) -> None:
        signatures = {asset.id: asset.signature for asset in assets}
        async with self._database.step():
            for key, asset in self._assets.items():
                if asset.id in signatures:
                    self._assets[key] = replace(asset, signature=signatures[asset.id], seen_at=at)

    async def store(self, asset: MediaAsset) -> Added | Replaced:
        async with self._database.step():
            if asset.storage_config_id not in self._database.storage_configs:
                raise StoreRefused("the storage config does not exist")
            earlier = self._asset(asset.storage_config_id, asset.path)
            kept = asset if earlier is None else replace(asset, id=earlier.id)
            self._assets[asset.storage_config_id, asset.path] = kept
            return Added() if earlier is None else Replaced()

    def _asset(self, config: StorageConfigId, path: RelativePath) -> MediaAsset | None:
        if config not in self._database.storage_configs:
            return None
        return self._assets.get((config, path))
