"""Storage configs on the wire: whose they are, and never which folder (no folder name reaches an admin)."""

from msgspec import Struct

from adapters.web.views.instants import Instant, instant
from application.configs import OwnedConfig


class StorageConfigView(Struct, frozen=True, kw_only=True, rename="camel"):
    """A photo folder as the scope of work. `owner` is the name of the user whose it is."""

    id: str
    user_id: str
    owner: str
    is_active: bool
    created_at: Instant


class StorageConfigsView(Struct, frozen=True):
    """Every storage config, oldest first."""

    items: tuple[StorageConfigView, ...]


class AddedStorageConfigView(Struct, frozen=True, kw_only=True, rename="camel"):
    """A new storage config, and the work item that crawls it first."""

    config: StorageConfigView
    crawl_id: str


class RemovedStorageConfigView(Struct, frozen=True, kw_only=True, rename="camel"):
    """How many work items went with a storage config."""

    removed_items: int


def storage_config_view(owned: OwnedConfig) -> StorageConfigView:
    """Whose it is, and whether it gets work."""
    return StorageConfigView(
        id=str(owned.config.id),
        user_id=str(owned.config.user_id),
        owner=owned.owner,
        is_active=owned.config.is_active,
        created_at=instant(owned.config.created_at),
    )
