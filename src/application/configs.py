"""Storage configs: the photo folders, and the crawls that are asked for them."""

from dataclasses import dataclass
from typing import assert_never

from application.enqueue import WorkQueue
from application.ports.errors import StoreRefused
from application.ports.new_ids import NewIds
from application.ports.storage_configs import StorageConfigs
from application.ports.transactions import Transactions
from domain.account import StorageConfig
from domain.ids import StorageConfigId, UserId, WorkItemId
from domain.kinds.crawl import CrawlPayload, dedup_key
from domain.outcomes import Coalesced, Created, EnqueueAnswer, UnknownScope


@dataclass(frozen=True, slots=True)
class ConfigAdded:
    """The folder is there, and its first crawl waits: both, in one step."""

    config: StorageConfig
    crawl: WorkItemId


@dataclass(frozen=True, slots=True)
class FolderTaken:
    """A config has this folder already; it may be somebody else's."""

    config: StorageConfig


@dataclass(frozen=True, slots=True)
class FolderRefused:
    """Why it cannot be a photo folder, in words that name none."""

    why: str


@dataclass(frozen=True, slots=True)
class UnknownConfig:
    """No config is called that."""


@dataclass(frozen=True, slots=True)
class AmbiguousConfig:
    """Several configs begin like that."""

    some: tuple[StorageConfig, ...]


class Configs:
    """Adds, finds and removes photo folders, and asks for their crawls."""

    def __init__(
        self, configs: StorageConfigs, queue: WorkQueue, transactions: Transactions, ids: NewIds
    ) -> None:
        """Take what it needs."""
        self._configs = configs
        self._queue = queue
        self._transactions = transactions
        self._ids = ids

    async def add(self, *, user: UserId, root_path: str) -> ConfigAdded | FolderTaken | FolderRefused:
        """Add the folder and ask for its first crawl: both are there afterwards, or neither (S-40)."""
        try:
            return await self._added(user, root_path)
        except StoreRefused as refusal:
            taken = next((one for one in await self._configs.all() if one.root_path == root_path), None)
            return FolderRefused(str(refusal)) if taken is None else FolderTaken(taken)

    async def crawl(
        self,
        config: StorageConfigId,
        *,
        verify: bool,
        accept_removals: bool = False,
        by: UserId | None,
    ) -> EnqueueAnswer:
        """Ask for a crawl of its own: it is not answered by one that waits already (S-8)."""
        payload = CrawlPayload(storage_config_id=config, verify=verify, accept_removals=accept_removals)
        return await self._queue.enqueue(payload, storage_config_id=config, requested_by=by)

    async def crawl_soon(self, config: StorageConfigId, *, by: UserId | None) -> EnqueueAnswer:
        """Ask for a crawl, unless one waits already: then that one is the answer."""
        payload = CrawlPayload(storage_config_id=config)
        return await self._queue.enqueue(
            payload, storage_config_id=config, dedup_key=dedup_key(config), requested_by=by
        )

    async def all(self) -> tuple[StorageConfig, ...]:
        """Every config, oldest first."""
        return await self._configs.all()

    async def named(self, text: str) -> StorageConfig | UnknownConfig | AmbiguousConfig:
        """The config of this folder, or the one whose id begins like this, dashes and capitals aside."""
        everyone = await self._configs.all()
        digits = text.replace("-", "").lower()
        found = [config for config in everyone if config.root_path == text] or [
            config for config in everyone if digits and config.id.hex.startswith(digits)
        ]
        match found:
            case []:
                return UnknownConfig()
            case [only]:
                return only
            case some:
                return AmbiguousConfig(tuple(some))

    async def remove(self, config: StorageConfigId) -> bool:
        """Remove a config with all its items and assets; the folder itself is never touched."""
        return await self._configs.remove(config)

    async def _added(self, user: UserId, root_path: str) -> ConfigAdded:
        new = StorageConfigId(self._ids.next())
        async with self._transactions.begin() as transaction:
            config = await self._configs.add(new, user=user, root_path=root_path, within=transaction)
            answer = await self._queue.enqueue(
                CrawlPayload(storage_config_id=new),
                storage_config_id=new,
                dedup_key=dedup_key(new),
                requested_by=user,
                within=transaction,
            )
        match answer:
            case Created(id=crawl) | Coalesced(id=crawl):
                return ConfigAdded(config, crawl)
            case UnknownScope():
                raise AssertionError("a config that this transaction has added is known to it")
            case _:
                assert_never(answer)
