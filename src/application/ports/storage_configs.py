"""The photo folders, which are the scopes of work."""

from typing import Protocol

from application.ports.transactions import Transaction
from domain.account import StorageConfig
from domain.ids import StorageConfigId, UserId
from domain.scope import Scope


class StorageConfigs(Protocol):
    """Adds, lists and removes storage configs."""

    async def add(
        self, config: StorageConfigId, *, user: UserId, root_path: str, within: Transaction | None = None
    ) -> StorageConfig:
        """Add an active config, dated by the store's clock. Raises `StoreRefused` for an unknown user or a taken root."""
        ...

    async def get(self, config: StorageConfigId) -> StorageConfig | None:
        """One config, or None when there is no such."""
        ...

    async def all(self) -> tuple[StorageConfig, ...]:
        """Every config, oldest first."""
        ...

    async def served(self, scope: Scope) -> tuple[StorageConfig, ...]:
        """The active configs within the scope, oldest first."""
        ...

    async def remove(self, config: StorageConfigId) -> bool:
        """Remove a config with all its items, assets and attempts; whether there was one."""
        ...
