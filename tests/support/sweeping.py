"""Proxy sweeps that have found something, over any store."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from adapters.codec.payloads import MsgspecPayloadCodec
from adapters.memory.database import MemoryDatabase
from adapters.memory.known_proxies import MemoryKnownProxies
from adapters.memory.media_library import MemoryMediaLibrary
from adapters.memory.request_keys import MemoryRequestKeys
from adapters.memory.sweep_findings import MemorySweepFindings
from adapters.sql.engine import Database
from adapters.sql.known_proxies import SqlKnownProxies
from adapters.sql.media_library import SqlMediaLibrary
from adapters.sql.request_keys import SqlRequestKeys
from adapters.sql.sweep_findings import SqlSweepFindings
from application.enqueue import WorkQueue
from application.ports.known_proxies import KnownProxies
from application.ports.media_library import MediaLibrary
from application.ports.request_keys import RequestKeys
from application.ports.sweep_findings import SweepFindings
from application.proxy_deletions import DeletionPorts, ProxyDeletions
from application.sweeps import Sweeps
from domain.attempt import RunId
from domain.events import RunEnd
from domain.ids import Attempt, StorageConfigId
from domain.kinds.kind import WorkKind
from domain.kinds.proxy_sweep import DEDUP_KEY, ProxySweepPayload, ProxySweepResult
from domain.media.content import ContentHash
from domain.media.file import RelativePath
from domain.media.proxy import ProxyFile, shard
from domain.media.proxy_finding import Finding, FindingKind, FindingNumber
from domain.outcomes import CancelRequested, Coalesced, Created, Recorded
from domain.work_item import WorkItem
from tests.contracts.shelves import an_asset
from tests.support.builders import a_claim, a_stop, a_success, claimed, ids
from tests.support.clock import ManualClock
from tests.support.house import House
from tests.support.memory import a_memory_house
from tests.support.reading import stored

SWEEP: Final = frozenset({WorkKind.PROXY_SWEEP.row_name})
LONG_AGO: Final = datetime(2025, 2, 1, 8, 30, tzinfo=UTC)

RESULT: Final = MsgspecPayloadCodec().encode_result(
    ProxySweepResult(
        files=10,
        rows=8,
        orphan_files=2,
        orphan_bytes=2_000,
        temporary_leftovers=1,
        leftover_bytes=100,
        missing_files=1,
        young_files=0,
        foreign_files=0,
    )
)
"""What a sweep says at its end, whatever it has found here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweeping:
    """A house, and everything around proxy sweeps on the same database."""

    house: House
    library: MediaLibrary
    findings: SweepFindings
    known_proxies: KnownProxies
    keys: RequestKeys
    queue: WorkQueue
    sweeps: Sweeps
    deletions: ProxyDeletions

    async def running(self) -> WorkItem:
        """A sweep whose first attempt is under way; asserts that no other waits."""
        answer = await self.queue.enqueue(ProxySweepPayload(), dedup_key=DEDUP_KEY)
        assert isinstance(answer, Created | Coalesced)
        item = await claimed(self.house.store, a_claim(kinds=SWEEP))
        assert item.id == answer.id
        return item

    async def swept(self, *found: Finding, end: Callable[[Attempt], RunEnd] | None = None) -> WorkItem:
        """A sweep that has found this and has ended: well, or by the `end` of its attempt."""
        item = await self.running()
        await self.findings.record(run_of(item), found)
        await self._ended(item, end(item.attempt) if end else a_success(item.attempt, result=RESULT))
        return await stored(self.house.store, item.id)

    async def stopped(self, *found: Finding) -> WorkItem:
        """A sweep that has found this when it was cancelled, and has left a partial result."""
        item = await self.running()
        await self.findings.record(run_of(item), found)
        assert isinstance(await self.house.store.cancel(item.id), CancelRequested)
        await self._ended(item, a_stop(item.attempt, partial=RESULT))
        return await stored(self.house.store, item.id)

    async def put_known(self, config: StorageConfigId, *paths: str, size: int = 12_000) -> None:
        """Assets of the config, each with one proxy, at these paths."""
        for path in paths:
            asset = an_asset(config, path=RelativePath(ids.next().hex.encode()))
            kind = asset.proxies[0].kind
            await self.library.store(
                replace(asset, proxies=(ProxyFile(kind, path, size=size, width=225, height=300),))
            )

    async def _ended(self, item: WorkItem, end: RunEnd) -> None:
        assert await self.house.store.finish(item.id, end) == Recorded()


def sweeping_over(house: House) -> Sweeping:
    """What is around sweeps on the house's own database."""
    match house.transactions:
        case MemoryDatabase() as memory:
            library: MediaLibrary = MemoryMediaLibrary(memory)
            findings: SweepFindings = MemorySweepFindings(memory)
            proxies: KnownProxies = MemoryKnownProxies(memory)
            keys: RequestKeys = MemoryRequestKeys(memory)
        case Database() as database:
            library, findings = SqlMediaLibrary(database), SqlSweepFindings(database)
            proxies, keys = SqlKnownProxies(database), SqlRequestKeys(database)
        case other:
            raise AssertionError(f"no such database: {other}")
    queue = WorkQueue(house.store, MsgspecPayloadCodec(), ids)
    ports = DeletionPorts(
        ledger=house.store,
        findings=findings,
        configs=house.storage_configs,
        transactions=house.transactions,
        keys=keys,
    )
    return Sweeping(
        house=house,
        library=library,
        findings=findings,
        known_proxies=proxies,
        keys=keys,
        queue=queue,
        sweeps=Sweeps(house.store, findings),
        deletions=ProxyDeletions(queue, ports),
    )


def memory_sweeping(clock: ManualClock | None = None) -> Sweeping:
    """The same in a house of its own, in memory."""
    return sweeping_over(a_memory_house(clock))


def run_of(item: WorkItem) -> RunId:
    """The attempt that is under way, or was the last."""
    return RunId(item.id, item.attempt)


def a_finding(  # noqa: PLR0913 -- the fields of a finding
    number: int,
    *,
    what: FindingKind = FindingKind.ORPHAN_FILE,
    owner: StorageConfigId | None = None,
    path: str | None = None,
    size: int = 1_000,
    modified_at: datetime | None = LONG_AGO,
) -> Finding:
    """Something that is wrong with a file of this config, or of one that does not exist."""
    whose = owner or StorageConfigId(ids.next())
    return Finding(
        number=FindingNumber(number),
        what=what,
        path=path or a_proxy_path(whose, number=number),
        size=size,
        modified_at=None if what is FindingKind.MISSING_FILE else modified_at,
        owner=whose,
    )


def a_proxy_path(owner: StorageConfigId, *, number: int = 1, name: str = "preview.jpg") -> str:
    """Where a proxy of the content of this number is, below the proxies folder."""
    content = ContentHash(number.to_bytes(32, "little"))
    return f"{shard(owner, content)}/{name}"
