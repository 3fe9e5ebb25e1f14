"""One store with all its ports, as the contracts use it."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from application.configs import SwitchedConfigs
from application.ports.change_feed import ChangeFeed
from application.ports.transactions import Transactions
from application.ports.users import Users
from application.ports.work_store import WorkStore
from domain.ids import StorageConfigId, UserId
from domain.work_item import WorkItem
from tests.support.builders import ids


class Pokes(Protocol):
    """What tests do to a store that no port allows."""

    async def age(self, duration: timedelta) -> None:
        """Let time pass for every row: move the store's clock on, or every instant of every table back."""
        ...

    async def put(self, item: WorkItem) -> None:
        """Write a new row for this item just as it stands."""
        ...

    async def clear(self) -> None:
        """Delete every row of every table."""
        ...

    async def deactivate(self, config: StorageConfigId) -> None:
        """Make a config inactive."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """A store in which nothing has happened yet."""

    store: WorkStore
    transactions: Transactions
    users: Users
    storage_configs: SwitchedConfigs
    feed: ChangeFeed
    pokes: Pokes

    async def age(self, duration: timedelta) -> None:
        """Let time pass. What was read before shows instants from before: read again to compare."""
        await self.pokes.age(duration)

    async def a_user(self) -> UserId:
        """Somebody, who has no config yet."""
        user = UserId(ids.next())
        name = f"user-{user}"
        await self.users.add(user, name=name, email=f"{name}@example.org", password_hash="-", is_admin=False)
        return user

    async def a_config(self, *, of: UserId | None = None, root_path: str | None = None) -> StorageConfigId:
        """An active config of this user, or of somebody who has no other; of this folder, or of one that is nowhere."""
        user = of or await self.a_user()
        config = StorageConfigId(ids.next())
        await self.storage_configs.add(config, user=user, root_path=root_path or f"/photos/{config}")
        return config
