"""Keeps the remembered failures of one library true while a crawl goes on."""

from collections.abc import Sequence

from application.ingestion.step import Failed, FileOutcome, SetAside, Visit, Waiting, WantedFile
from application.ports.media_failures import MediaFailures
from domain.media.failed_file import PASSING, FailedFile
from domain.media.failure import FailureReason
from domain.media.file import LONGEST_PATH, RelativePath


class FailureBook:
    """Writes only what changed: the same failure again is the row that is there."""

    def __init__(self, failures: MediaFailures, visit: Visit) -> None:
        """Take the store and the crawl."""
        self._failures = failures
        self._visit = visit

    async def note(self, *came_to: tuple[WantedFile, FileOutcome]) -> None:
        """Remember which files failed and how, or forget that they once did: all in one step each."""
        news = (self._news(file, outcome) for file, outcome in came_to)
        await self._record([failed for failed in news if failed is not None])
        await self.forget([file.found.path for file, outcome in came_to if _is_well_again(file, outcome)])

    async def note_barred(self, paths: Sequence[RelativePath], known: Sequence[FailedFile]) -> None:
        """Remember what could not even be looked at."""
        failed = [FailedFile(path, reason_of_barred(path)) for path in paths]
        await self._record([one for one in failed if one not in known])

    async def forget(self, paths: Sequence[RelativePath]) -> None:
        """What was at these paths does not fail any more."""
        if paths:
            await self._failures.forget(self._visit.folder.config, paths)

    def _news(self, file: WantedFile, outcome: FileOutcome) -> FailedFile | None:
        match outcome:
            case Failed(reason) if reason not in PASSING:
                signature = file.found.signature
                failed = FailedFile(file.found.path, reason, signature.size, signature.mtime_ns)
                return failed if failed != file.failed or self._visit.verify else None
            case _:
                return None

    async def _record(self, failed: Sequence[FailedFile]) -> None:
        # What lies too deep is too long for a row here as well; it is seen again on each crawl, for nothing.
        kept = [one for one in failed if len(one.path) <= LONGEST_PATH]
        if kept:
            await self._failures.record(self._visit.folder.config, kept, at=self._visit.began_at)


def _is_well_again(file: WantedFile, outcome: FileOutcome) -> bool:
    return file.failed is not None and not isinstance(outcome, Failed | SetAside | Waiting)


def reason_of_barred(path: RelativePath) -> FailureReason:
    """What the walk could not look at is a file, or a folder with all that is in it."""
    if len(path) > LONGEST_PATH:
        return FailureReason.PATH_TOO_LONG
    return FailureReason.UNREADABLE_FOLDER if path.endswith(b"/") else FailureReason.UNREADABLE
