"""The photo folders, which are the scopes of work."""

from dataclasses import dataclass
from typing import Protocol

from application.ports.transactions import Transaction
from domain.account import StorageConfig
from domain.ids import StorageConfigId, UserId
from domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Removed:
    """The config is gone, and so many work items went with it."""

    items: int


@dataclass(frozen=True, slots=True)
class NoSuchConfig:
    """There is no config of this id, or no longer."""


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

    async def remove(self, config: StorageConfigId) -> Removed | NoSuchConfig:
        """Remove a config with all its items, assets and attempts."""
        ...


class ConfigSwitch(Protocol):
    """Turns storage configs on and off."""

    async def set_active(self, config: StorageConfigId, *, active: bool) -> StorageConfig | NoSuchConfig:
        """Let the config get new work from now on, or no more. Its rows stay as they are."""
        ...
