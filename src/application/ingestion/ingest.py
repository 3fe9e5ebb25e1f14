"""Takes a whole folder in."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from application.ingestion.backlog import Backlog
from application.ingestion.hash_content import HashContent
from application.ingestion.overseer import Overseer, StopSignal
from application.ingestion.render_proxies import RenderProxies
from application.ingestion.settle_date import SettleDate
from application.ingestion.skip_known import SkipKnown
from application.ingestion.step import Failed, Folder, Step, Unchanged, WantedFile
from application.ingestion.store_asset import StoreAsset
from application.ingestion.tally import Tally
from application.ports.clock import Clock
from application.ports.file_tree import FileTree, FoundBatch
from application.ports.image_renderer import ImageRenderer, Renderers
from application.ports.media_library import MediaLibrary
from application.ports.new_ids import NewIds
from application.ports.proxy_store import ProxyStore
from domain.media.failure import FailureReason


@dataclass(frozen=True, slots=True)
class Completed:
    """Every file that the walk met came to an outcome."""

    tally: Tally


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Some files were left for another time, on request."""

    tally: Tally


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything that ingestion works with."""

    tree: FileTree
    renderers: Renderers
    proxies: ProxyStore
    library: MediaLibrary
    new_ids: NewIds
    clock: Clock
    zone: tzinfo
    max_concurrent_files: int


class Ingest:
    """Brings the rows and proxies of one library up to date with its folder.

    Runs from scratch and converges: a second run over the same files reads none of them and changes no
    asset. Originals are only read.
    """

    def __init__(self, surroundings: Surroundings) -> None:
        """Take the ports."""
        self._with = surroundings

    async def run(
        self, folder: Folder, *, verify: bool, stop: StopSignal, report: Callable[[Tally], None]
    ) -> Completed | Interrupted:
        """Take in every file below the folder's root.

        Raises `RootUnreadable`, `ProxiesUnwritable`, `RendererUnavailable` or `StoreUnavailable`; what was done
        by then stands.
        """
        overseer = Overseer(stop, report)
        started_at = self._with.clock.now()
        skip_known = SkipKnown(self._with.library, folder, verify=verify, seen_at=started_at)
        async with self._with.renderers() as renderer:
            backlog = Backlog(self._steps(folder, renderer, started_at), overseer)
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(self._with.max_concurrent_files):
                        group.create_task(backlog.work())
                    await self._walk(folder, skip_known, backlog, overseer)
            except ExceptionGroup as failures:
                # Whichever came first tells why; the others ended because of it.
                raise failures.exceptions[0] from failures
        return Interrupted(overseer.tally) if overseer.was_interrupted else Completed(overseer.tally)

    def _steps(self, folder: Folder, renderer: ImageRenderer, started_at: datetime) -> Step[WantedFile]:
        """A file's way, to be read from the last line up."""
        ports = self._with
        store = StoreAsset(ports.proxies, ports.library, ports.new_ids, folder, seen_at=started_at)
        settle_date = SettleDate(now=started_at, zone=ports.zone, successor=store)
        render = RenderProxies(ports.tree, renderer, successor=settle_date)
        return HashContent(ports.tree, renderer, ports.library, folder, seen_at=started_at, successor=render)

    async def _walk(
        self, folder: Folder, skip_known: SkipKnown, backlog: Backlog, overseer: Overseer
    ) -> None:
        async for batch in self._with.tree.walk(folder.root):
            if overseer.stop_requested:
                overseer.note_interruption()
                break
            await _sort_out(batch, skip_known, backlog, overseer)
        else:
            overseer.found_all()
        await backlog.close()


async def _sort_out(batch: FoundBatch, skip_known: SkipKnown, backlog: Backlog, overseer: Overseer) -> None:
    overseer.found(len(batch.files) + batch.unreadable_folders)
    overseer.count(Failed(FailureReason.UNREADABLE_FOLDER), batch.unreadable_folders)
    wanted = await skip_known.wanted(batch.files)
    overseer.count(Unchanged(), len(batch.files) - len(wanted))
    for file in wanted:
        await backlog.add(file)
