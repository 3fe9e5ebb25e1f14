"""Storage configs: the photo folders, and the crawls that are asked for them."""

from dataclasses import dataclass
from typing import Protocol, assert_never

from application.enqueue import WorkQueue
from application.ports.errors import StoreRefused
from application.ports.new_ids import NewIds
from application.ports.storage_configs import ConfigSwitch, NoSuchConfig, Removed, StorageConfigs
from application.ports.transactions import Transactions
from application.ports.users import Users
from domain.account import StorageConfig
from domain.ids import StorageConfigId, UserId, WorkItemId
from domain.kinds.crawl import CrawlPayload, dedup_key
from domain.outcomes import Coalesced, Created, EnqueueAnswer, UnknownScope
from domain.photo_root import ANYWHERE, RootBounds, bounded_root, overlap


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
class FolderOverlaps:
    """The folder lies within that of this config, or holds it; it may be somebody else's."""

    config: StorageConfig


@dataclass(frozen=True, slots=True)
class FolderRefused:
    """Why it cannot be a photo folder, in words that name none."""

    why: str


@dataclass(frozen=True, slots=True)
class UnknownOwner:
    """Nobody has this id."""


AddAnswer = ConfigAdded | FolderTaken | FolderOverlaps | FolderRefused | UnknownOwner


@dataclass(frozen=True, slots=True)
class OwnedConfig:
    """A config and the name of whose it is."""

    config: StorageConfig
    owner: str


@dataclass(frozen=True, slots=True)
class UnknownConfig:
    """No config is called that."""


@dataclass(frozen=True, slots=True)
class AmbiguousConfig:
    """Several configs begin like that."""

    some: tuple[StorageConfig, ...]


class SwitchedConfigs(StorageConfigs, ConfigSwitch, Protocol):
    """The configs, and their switch."""


class Configs:
    """Adds, finds and removes photo folders, and asks for their crawls."""

    def __init__(  # noqa: PLR0913 -- two writes in one transaction, and who they are for
        self,
        configs: SwitchedConfigs,
        queue: WorkQueue,
        transactions: Transactions,
        users: Users,
        ids: NewIds,
        *,
        bounds: RootBounds = ANYWHERE,
    ) -> None:
        """Take what it needs, and where photo folders may lie."""
        self._configs = configs
        self._queue = queue
        self._transactions = transactions
        self._users = users
        self._ids = ids
        self._bounds = bounds

    async def add(self, *, user: UserId, root_path: str, by: UserId | None = None) -> AddAnswer:
        """Add the folder and ask for its first crawl: both are there afterwards, or neither (S-40).

        The crawl is asked for in the name of `by`, or else of the owner.
        """
        if await self._users.get(user) is None:
            return UnknownOwner()
        try:
            root = bounded_root(root_path, self._bounds)
        except ValueError as fault:
            return FolderRefused(str(fault))
        try:
            return await self._added(user, root, by or user)
        except StoreRefused as refusal:
            return await self._refused(root, str(refusal))

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
            payload, storage_config_id=config, dedup_key=dedup_key(payload), requested_by=by
        )

    async def all(self) -> tuple[StorageConfig, ...]:
        """Every config, oldest first."""
        return await self._configs.all()

    async def owned(self) -> tuple[OwnedConfig, ...]:
        """Every config with its owner, oldest first."""
        configs = await self._configs.all()
        names = {user.id: user.name for user in await self._users.all()}
        # An owner who is new since, or gone just now, has no name yet, or no more.
        return tuple(OwnedConfig(config, names.get(config.user_id, "")) for config in configs)

    async def one_owned(self, config: StorageConfigId) -> OwnedConfig | NoSuchConfig:
        """One config with its owner."""
        found = await self._configs.get(config)
        return NoSuchConfig() if found is None else await self.with_owner(found)

    async def with_owner(self, config: StorageConfig) -> OwnedConfig:
        """The config, and the name of whose it is."""
        owner = await self._users.get(config.user_id)
        return OwnedConfig(config, "" if owner is None else owner.name)

    async def set_active(self, config: StorageConfigId, *, active: bool) -> StorageConfig | NoSuchConfig:
        """Let a config get new work, or no more; what is known of it stays."""
        return await self._configs.set_active(config, active=active)

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

    async def remove(self, config: StorageConfigId) -> Removed | NoSuchConfig:
        """Remove a config with all its items and assets; the folder itself is never touched."""
        return await self._configs.remove(config)

    async def _refused(self, root: str, why: str) -> FolderTaken | FolderOverlaps | FolderRefused:
        others = [other for other in await self._configs.all() if overlap(other.root_path, root)]
        match others:
            case []:
                return FolderRefused(why)
            case [StorageConfig(root_path=taken) as same] if taken == root:
                return FolderTaken(same)
            case [other, *_]:
                return FolderOverlaps(other)
            case _:
                raise AssertionError("a list is empty, or it is not")

    async def _added(self, user: UserId, root_path: str, by: UserId) -> ConfigAdded:
        new = StorageConfigId(self._ids.next())
        first = CrawlPayload(storage_config_id=new)
        async with self._transactions.begin() as transaction:
            config = await self._configs.add(new, user=user, root_path=root_path, within=transaction)
            answer = await self._queue.enqueue(
                first,
                storage_config_id=new,
                dedup_key=dedup_key(first),
                requested_by=by,
                within=transaction,
            )
        match answer:
            case Created(id=crawl) | Coalesced(id=crawl):
                return ConfigAdded(config, crawl)
            case UnknownScope():
                raise AssertionError("a config that this transaction has added is known to it")
            case _:
                assert_never(answer)
