"""The photo folders, in memory."""

from dataclasses import replace

from adapters.memory.database import MemoryDatabase
from application.ports.errors import StoreRefused
from application.ports.storage_configs import ConfigSwitch, NoSuchConfig, Removed, StorageConfigs
from application.ports.transactions import Transaction
from domain.account import StorageConfig
from domain.ids import StorageConfigId, UserId
from domain.photo_root import admitted_root
from domain.scope import AllScopes, Scope


class MemoryStorageConfigs(StorageConfigs, ConfigSwitch):
    """The configs of one memory database."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def add(
        self, config: StorageConfigId, *, user: UserId, root_path: str, within: Transaction | None = None
    ) -> StorageConfig:
        async with self._database.step(within):
            others = [other for other in self._oldest_first() if other.id != config]
            try:
                root = admitted_root(root_path, beside=(other.root_path for other in others))
            except ValueError as fault:
                raise StoreRefused(str(fault)) from fault
            return self._add(config, user, root)

    async def get(self, config: StorageConfigId) -> StorageConfig | None:
        async with self._database.step():
            return self._database.storage_configs.get(config)

    async def all(self) -> tuple[StorageConfig, ...]:
        async with self._database.step():
            return self._oldest_first()

    async def served(self, scope: Scope) -> tuple[StorageConfig, ...]:
        async with self._database.step():
            return tuple(
                config
                for config in self._oldest_first()
                if config.is_active and (isinstance(scope, AllScopes) or config.user_id == scope.user_id)
            )

    async def remove(self, config: StorageConfigId) -> Removed | NoSuchConfig:
        async with self._database.step():
            items = self._database.work_items.values()
            going = sum(item.storage_config_id == config for item in items)
            return Removed(going) if self._database.forget_config(config) else NoSuchConfig()

    async def set_active(self, config: StorageConfigId, *, active: bool) -> StorageConfig | NoSuchConfig:
        async with self._database.step():
            known = self._database.storage_configs.get(config)
            if known is None:
                return NoSuchConfig()
            self._database.storage_configs[config] = replace(known, is_active=active)
            return self._database.storage_configs[config]

    def _add(self, config: StorageConfigId, user: UserId, root: str) -> StorageConfig:
        known = self._database.storage_configs.get(config)
        if known is not None and (known.user_id, known.root_path) == (user, root):
            return known
        if known is not None:
            raise StoreRefused("the id belongs to another photo folder")
        if user not in self._database.users:
            raise StoreRefused("there is no such user")
        new = StorageConfig(
            id=config, user_id=user, root_path=root, is_active=True, created_at=self._database.now()
        )
        self._database.storage_configs[config] = new
        return new

    def _oldest_first(self) -> tuple[StorageConfig, ...]:
        configs = self._database.storage_configs.values()
        return tuple(sorted(configs, key=lambda config: (config.created_at, config.id)))
