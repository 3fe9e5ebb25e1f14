"""One crawl of one folder, from the first look at its root to the last row."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from application.ingestion.backlog import Backlog
from application.ingestion.failure_book import FailureBook, reason_of_barred
from application.ingestion.hash_content import HashContent, Shelves
from application.ingestion.inventory import Inventory
from application.ingestion.overseer import Overseer
from application.ingestion.pair_halves import pair_halves
from application.ingestion.recall_content import RecallContent
from application.ingestion.render_proxies import RenderProxies
from application.ingestion.set_aside import SetAsideMoved
from application.ingestion.settle_date import SettleDate
from application.ingestion.settlement import Settlement, in_batches
from application.ingestion.step import (
    Failed,
    HashedFile,
    Moved,
    PassedOver,
    Step,
    Unchanged,
    Visit,
    WantedFile,
)
from application.ingestion.store_asset import StoreAsset
from application.ingestion.surroundings import Surroundings
from application.ports.file_tree import FoundBatch, RootMark
from application.ports.image_renderer import ImageRenderer


class TakingIn:
    """Walks and reads, and decides at the end what the walk alone cannot tell."""

    def __init__(
        self, ports: Surroundings, renderer: ImageRenderer, visit: Visit, overseer: Overseer
    ) -> None:
        """Begin nothing yet."""
        self._with = ports
        self._renderer = renderer
        self._visit = visit
        self._overseer = overseer
        self._shelves = Shelves(ports.library, ports.assets, ports.proxies)
        self._book = FailureBook(ports.failures, visit)
        self._inventory = Inventory(
            ports.library, ports.failures, visit, ports.clock, settle_for=ports.settle_for
        )
        self._media_files = 0

    async def go(self) -> None:
        """Take the folder in. What is left undone because of a stop is noted, and nothing is decided then."""
        root = await self._with.tree.mark(self._visit.folder.root)
        aside = SetAsideMoved(self._with.library, self._visit, successor=self._decoding())
        await self._read(self._walked(), aside)
        if not self._overseer.was_interrupted:
            await self._settle(root, aside)

    async def _settle(self, root: RootMark, aside: SetAsideMoved) -> None:
        ports = self._with
        settlement = Settlement(ports.tree, ports.library, self._visit, zone=ports.zone)
        settled = await settlement.decide(root, self._inventory, aside, found=self._media_files)
        await settlement.carry_out(settled)
        self._overseer.count(Moved(), len(settled.moved))
        self._overseer.lost(len(settled.missing))
        failed_before = {file.found.path for file in aside.files if file.failed is not None}
        unmet = [path for path in self._inventory.unmet_failures if not self._inventory.is_barred(path)]
        unmet += [move.to.path for move in settled.moved if move.to.path in failed_before]
        for some in in_batches(unmet):
            await self._book.forget(some)
        await self._read(_each(settled.copies), self._decoding())
        if not self._overseer.was_interrupted:
            await pair_halves(ports.live_photos, self._visit.folder.config)

    async def _read(self, files: AsyncIterator[WantedFile], behind_hashing: Step[HashedFile]) -> None:
        """Send files their way, a few at a time, until every one of them has come to its outcome."""
        first = HashContent(
            self._with.tree, self._renderer, self._shelves, self._visit, successor=behind_hashing
        )
        backlog = Backlog(first, self._overseer, self._book)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._with.max_concurrent_files):
                    group.create_task(backlog.work())
                async for file in files:
                    await backlog.add(file)
                await backlog.close()
        except ExceptionGroup as failures:
            # Whichever came first tells why; the others ended because of it.
            raise failures.exceptions[0] from failures

    def _decoding(self) -> Step[HashedFile]:
        """The way of a file that has not only moved, to be read from the last line up."""
        ports = self._with
        store = StoreAsset(ports.proxies, ports.library, ports.new_ids, self._visit)
        settle_date = SettleDate(now=self._visit.began_at, zone=ports.zone, successor=store)
        render = RenderProxies(ports.tree, self._renderer, successor=settle_date)
        return RecallContent(self._shelves, ports.new_ids, self._visit, zone=ports.zone, successor=render)

    async def _walked(self) -> AsyncIterator[WantedFile]:
        """Every file that must be read, while the walk goes on; all others are settled on the way."""
        async for batch in self._with.tree.walk(self._visit.folder.root):
            if self._overseer.stop_requested:
                self._overseer.note_interruption()
                return
            for file in await self._sorted_out(batch):
                yield file
        self._overseer.found_all()

    async def _sorted_out(self, batch: FoundBatch) -> Sequence[WantedFile]:
        overseer = self._overseer
        self._media_files += len(batch.files) + len(batch.barred)
        overseer.found(len(batch.files) + len(batch.barred) + batch.passed_over)
        overseer.count(PassedOver(), batch.passed_over)
        compared = await self._inventory.compare(batch)
        overseer.count(Unchanged(), compared.unchanged)
        for path in batch.barred:
            overseer.count(Failed(reason_of_barred(path)))
        await self._book.note_barred(batch.barred, compared.barred_before)
        for some in in_batches(compared.returned):
            await self._with.library.change(self._visit.folder.config, some, at=self._visit.began_at)
        for some_settled in in_batches(compared.settled):
            await self._book.note(*some_settled)
        for _, outcome in compared.settled:
            overseer.count(outcome)
        return compared.wanted


async def _each(files: Sequence[WantedFile]) -> AsyncIterator[WantedFile]:
    for file in files:
        yield file
