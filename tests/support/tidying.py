"""A library's proxies on a disk and in rows, and the two kinds of work that tidy them up."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from adapters.filesystem.proxy_folder import MountedProxyFolder
from adapters.memory.database import MemoryDatabase
from application.handlers.proxy_deletion import ProxyDeletionHandler
from application.handlers.proxy_sweep import ProxySweepHandler
from application.handling import Run
from application.ports.known_proxies import KnownProxies, KnownProxy
from application.ports.proxy_folder import FileFate, FolderPart, ProxyFolder
from domain.attempt import RunId
from domain.ids import Attempt, StorageConfigId, WorkItemId
from domain.kinds.proxy_deletion import ProxyDeletionPayload
from domain.kinds.proxy_sweep import ProxySweepPayload
from domain.media.asset import MediaAsset
from domain.media.file import RelativePath
from domain.media.proxy_finding import Finding, FindingKind
from domain.media.proxy_path import ProxyPath
from tests.support.builders import an_id
from tests.support.clock import ManualClock
from tests.support.proxy_files import HOUR, a_file, files_below
from tests.support.sweeping import Sweeping, memory_sweeping

Meanwhile = Callable[[], Awaitable[None]]


async def nothing() -> None:
    """Nothing happens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidying:
    """A proxies folder, rows, and handlers over both."""

    root: Path
    clock: ManualClock
    sweeping: Sweeping
    config: StorageConfigId

    async def known(self, *paths: str, size: int = 7) -> None:
        """Rows for these paths."""
        await self.sweeping.put_known(self.config, *paths, size=size)

    async def put(self, *paths: str, age: timedelta = 2 * HOUR, is_known: bool = False) -> None:
        """Files of this age, which rows know or not."""
        for path in paths:
            a_file(self.root, path, age=age)
        if is_known:
            await self.known(*paths)

    def all_rows_go(self) -> None:
        """As when a library is removed."""
        self._assets.clear()

    async def all_findings_go(self) -> None:
        """As when their sweep is purged."""
        self._database.sweep_findings.clear()

    def all_photos_go(self) -> None:
        """As when a crawl meets none of them: the rows stay."""
        self._assets.update({key: replace(asset, is_gone=True) for key, asset in self._assets.items()})

    @property
    def _assets(self) -> dict[tuple[StorageConfigId, RelativePath], MediaAsset]:
        return self._database.media_assets

    @property
    def _database(self) -> MemoryDatabase:
        assert isinstance(self.sweeping.house.transactions, MemoryDatabase)
        return self.sweeping.house.transactions

    def files(self) -> set[str]:
        """What lies in the folder."""
        return files_below(self.root)

    async def a_sweep(self, attempt: int = 1) -> Run[ProxySweepPayload]:
        """A sweep that runs, as its handler sees it."""
        item = await self.sweeping.running()
        return Run(RunId(item.id, Attempt(attempt)), ProxySweepPayload())

    def sweeper(self, *, folder: ProxyFolder | None = None) -> ProxySweepHandler:
        """Sweeps."""
        sweeping = self.sweeping
        return ProxySweepHandler(
            folder or MountedProxyFolder(self.root), sweeping.known_proxies, sweeping.findings, self.clock
        )

    def deleter(
        self, *, between: Meanwhile = nothing, after: Meanwhile = nothing, folder: ProxyFolder | None = None
    ) -> ProxyDeletionHandler:
        """Deletes; `between` happens before rows are looked up, `after` before files are."""
        proxies = Watched(self.sweeping.known_proxies, before=between, after=after)
        return ProxyDeletionHandler(
            folder or MountedProxyFolder(self.root), proxies, self.sweeping.findings, self.clock
        )

    async def found(self, run: RunId) -> list[Finding]:
        """All that a run has kept, whatever became of it."""
        page = await self.sweeping.findings.page(run, kinds=frozenset(FindingKind), limit=100_000)
        return list(page)


@dataclass(frozen=True, slots=True)
class Watched(KnownProxies):
    """Rows that change right before, or right after, somebody looks them up."""

    rows: KnownProxies
    before: Meanwhile = nothing
    after: Meanwhile = nothing

    async def among(self, paths: Collection[str]) -> frozenset[str]:
        await self.before()
        known = await self.rows.among(paths)
        await self.after()
        return known

    async def page(self, *, after: str | None, limit: int) -> tuple[KnownProxy, ...]:
        return await self.rows.page(after=after, limit=limit)


@dataclass(frozen=True, slots=True)
class CountedFolder(ProxyFolder):
    """Remembers how many files at once it was asked for, and told of."""

    folder: ProxyFolder
    sizes: list[int] = field(default_factory=list)

    async def walk(self) -> AsyncIterator[FolderPart]:
        async for part in self.folder.walk():
            self.sizes.append(len(part.proxies))
            yield part

    async def absent(self, paths: Collection[str]) -> frozenset[str]:
        self.sizes.append(len(paths))
        return await self.folder.absent(paths)

    async def delete(self, paths: Sequence[ProxyPath], *, before: datetime) -> tuple[FileFate, ...]:
        self.sizes.append(len(paths))
        return await self.folder.delete(paths, before=before)


async def some_proxies(root: Path) -> Tidying:
    """An empty proxies folder, no rows, and one config."""
    clock = ManualClock()
    sweeping = memory_sweeping(clock)
    config = await sweeping.house.a_config()
    return Tidying(root=root, clock=clock, sweeping=sweeping, config=config)


def a_deletion(
    sweep: WorkItemId, findings: Sequence[Finding], *, owners: Collection[StorageConfigId] = ()
) -> Run[ProxyDeletionPayload]:
    """A deletion of these findings of a sweep that its first attempt finished; without any, of all that is theirs."""
    named = dict.fromkeys(finding.owner for finding in findings)
    payload = ProxyDeletionPayload(
        sweep_id=sweep,
        attempt=1,
        owners=tuple(named or owners),
        findings=tuple(finding.number for finding in findings),
    )
    return Run(RunId(an_id(), Attempt(1)), payload)
