"""What a crawl decides at its end: what moved, what is a copy, and what is gone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final, TypeVar

from application.ingestion.inventory import Inventory
from application.ingestion.set_aside import SetAsideMoved
from application.ingestion.step import Visit, WantedFile
from application.ports.file_tree import FileTree, RootMark, RootUnreadable
from application.ports.media_library import AssetChange, MediaLibrary, MovedTo, Vanished
from domain.media.asset import KnownAsset
from domain.media.capture_date import CaptureDate, capture_date
from domain.media.file import FoundFile
from domain.media.moves import Move, moves
from domain.media.name_date import claims_of_file
from domain.media.vanish import is_suspicious

BATCH: Final = 500
"""Changes that are written in one transaction."""

T = TypeVar("T")


class RemovalsRefused(Exception):  # noqa: N818 -- reads as the state it names
    """So much is gone that somebody has to say that it was meant. Nothing was touched (S-27)."""

    def __init__(self, missing: int, live: int) -> None:
        """Take how many of how many."""
        super().__init__(f"{missing} of {live}")
        self.missing = missing
        self.live = live


class RootEmpty(RemovalsRefused):
    """Nothing at all is left below the root."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What is to become of the library's rows, and of the files that were set aside."""

    moved: tuple[Move, ...]
    missing: tuple[KnownAsset, ...]
    copies: tuple[WantedFile, ...]


class Settlement:
    """Decides once for the whole library: never during the walk, and never by what one file shows."""

    def __init__(self, tree: FileTree, library: MediaLibrary, visit: Visit, *, zone: tzinfo) -> None:
        """Take the crawl."""
        self._tree = tree
        self._library = library
        self._visit = visit
        self._zone = zone

    async def decide(
        self, root: RootMark, inventory: Inventory, aside: SetAsideMoved, *, found: int
    ) -> Settled:
        """Tell what moved and what is gone; writes nothing.

        Only what lay below folders that were listed whole can be gone, and only while the root is the one
        that the walk began at. Raises `RootUnreadable` or `RemovalsRefused`.
        """
        unmet = [asset for asset in inventory.unmet if not inventory.is_barred(asset.path)]
        absent = await self._tree.gone(self._visit.folder.root, [asset.path for asset in unmet])
        # Looked at last: what an unmounted root does not have is not gone.
        if await self._tree.mark(self._visit.folder.root) != root:
            raise RootUnreadable("it is not the folder any more that it was when the crawl began")
        gone = [asset for asset in unmet if asset.path in absent]
        earlier = await self._library.gone(
            self._visit.folder.config, {arrival.content for arrival in aside.arrivals}
        )
        moved = moves([*gone, *earlier], aside.arrivals)
        movers = {move.asset.id for move in moved}
        missing = tuple(asset for asset in gone if asset.id not in movers)
        self._refuse(missing, inventory.live, found)
        arrived = {move.to.path for move in moved}
        copies = tuple(file for file in aside.files if file.found.path not in arrived)
        return Settled(moved, missing, copies)

    async def carry_out(self, settled: Settled) -> None:
        """Write the moves, then what is gone."""
        changes: list[AssetChange] = [MovedTo(move, self._date_of(move.to)) for move in settled.moved]
        changes += map(Vanished, settled.missing)
        for some in in_batches(changes):
            await self._library.change(self._visit.folder.config, some, at=self._visit.began_at)

    def _refuse(self, missing: Sequence[KnownAsset], live: int, found: int) -> None:
        if self._visit.accept_removals:
            return
        if missing and not found:
            raise RootEmpty(len(missing), live)
        if is_suspicious(len(missing), of_live=live):
            raise RemovalsRefused(len(missing), live)

    def _date_of(self, file: FoundFile) -> CaptureDate | None:
        """By its name and its own time, for assets whose content has none."""
        return capture_date(claims_of_file(file), now=self._visit.began_at, zone=self._zone)


def in_batches(all_of_them: Sequence[T]) -> Iterator[Sequence[T]]:
    """The same in order, as many at a time as one transaction should write."""
    for start in range(0, len(all_of_them), BATCH):
        yield all_of_them[start : start + BATCH]
