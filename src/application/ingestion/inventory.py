"""What makes a second crawl cheap: most files go no way at all, and nothing is written for them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol, TypeVar

from application.ingestion.step import Failed, FileOutcome, Returned, Unchanged, Visit, Waiting, WantedFile
from application.ports.clock import Clock
from application.ports.file_tree import FoundBatch
from application.ports.media_failures import MediaFailures
from application.ports.media_library import MediaLibrary, SeenAgain, Stretch
from domain.media.asset import KnownAsset
from domain.media.failed_file import FailedFile
from domain.media.failure import FailureReason
from domain.media.file import LONGEST_PATH, FoundFile, RelativePath, folders_above

PAGE: Final = 2_000
"""Rows that are asked for at once."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)


class AtPath(Protocol):
    """A row of something at a path."""

    @property
    def path(self) -> RelativePath:
        """Where."""
        ...


Row = TypeVar("Row", bound=AtPath)


@dataclass(slots=True)
class Compared:
    """What one batch of the walk means: which files must be read, and what became of all the others."""

    wanted: list[WantedFile] = field(default_factory=list)
    settled: list[tuple[WantedFile, FileOutcome]] = field(default_factory=list)
    returned: list[SeenAgain] = field(default_factory=list)
    unchanged: int = 0
    barred_before: list[FailedFile] = field(default_factory=list)


class Inventory:
    """Lays the walk beside the rows. Both come in the order of paths, so it holds one stretch of them at a time.

    `live` counts the assets that were not gone; `unmet` are those of them for which the walk met no file, and
    `unmet_failures` the remembered failures likewise. Neither tells anything before the walk is over.
    """

    def __init__(
        self,
        library: MediaLibrary,
        failures: MediaFailures,
        visit: Visit,
        clock: Clock,
        *,
        settle_for: timedelta,
    ) -> None:
        """Take the crawl; a file that is younger than `settle_for` waits."""
        self._library = library
        self._failures = failures
        self._visit = visit
        self._clock = clock
        self._settle_for = settle_for
        self._after: RelativePath | None = None
        self._barred: set[RelativePath] = set()
        self.live = 0
        self.unmet: list[KnownAsset] = []
        self.unmet_failures: list[RelativePath] = []

    async def compare(self, batch: FoundBatch) -> Compared:
        """Tell what the files of the next batch are to the rows of the same stretch."""
        stretch = Stretch(self._after, batch.until)
        config = self._visit.folder.config
        known = {
            asset.path: asset
            async for asset in _all(lambda part: self._library.known(config, part, limit=PAGE), stretch)
        }
        failures = {failure.path: failure async for failure in _all(self._failed, stretch)}
        self._after = batch.until
        self.live += sum(not asset.is_gone for asset in known.values())
        compared = Compared()
        for file in batch.files:
            self._sort(WantedFile(file, known.pop(file.path, None), failures.pop(file.path, None)), compared)
        for path in batch.barred:
            self._barred.add(path)
            known.pop(path, None)
            if (before := failures.pop(path, None)) is not None:
                compared.barred_before.append(before)
        self.unmet += [asset for asset in known.values() if not asset.is_gone]
        self.unmet_failures += failures
        return compared

    def is_barred(self, path: RelativePath) -> bool:
        """Whether the path lies below a folder that could not be listed, so that nothing is known of it."""
        return bool(self._barred) and not self._barred.isdisjoint(folders_above(path))

    async def _failed(self, stretch: Stretch) -> tuple[FailedFile, ...]:
        config = self._visit.folder.config
        return tuple(row.failed for row in await self._failures.known(config, stretch, limit=PAGE))

    def _sort(self, file: WantedFile, compared: Compared) -> None:
        found, earlier, verify = file.found, file.earlier, self._visit.verify
        if earlier is not None and not verify and earlier.signature == found.signature:
            if earlier.is_gone:
                compared.returned.append(SeenAgain(earlier, found.signature))
                compared.settled.append((file, Returned()))
            elif file.failed is not None:
                compared.settled.append((file, Unchanged()))
            else:
                compared.unchanged += 1
        elif len(found.path) > LONGEST_PATH:
            compared.settled.append((file, Failed(FailureReason.PATH_TOO_LONG)))
        elif self._is_young(found):
            compared.settled.append((file, Waiting()))
        elif file.failed is not None and not verify and file.failed.spares(found):
            compared.settled.append((file, Failed(file.failed.reason)))
        elif found.signature.size == 0:
            compared.settled.append((file, Failed(FailureReason.EMPTY)))
        else:
            compared.wanted.append(file)

    def _is_young(self, found: FoundFile) -> bool:
        """By its own time, which a clock of another machine may show a moment ahead of ours."""
        now_us = (self._clock.now() - EPOCH) // MICROSECOND
        return abs(now_us - found.signature.mtime_ns // 1_000) * MICROSECOND < self._settle_for


async def _all(ask: Callable[[Stretch], Awaitable[tuple[Row, ...]]], stretch: Stretch) -> AsyncIterator[Row]:
    """Every row of a stretch, a page at a time: a folder with a million rows may have gone."""
    while True:
        rows = await ask(stretch)
        for row in rows:
            yield row
        if len(rows) < PAGE:
            return
        stretch = Stretch(rows[-1].path, stretch.until)
