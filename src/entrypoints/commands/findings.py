"""What a sweep has found, page by page, and how much of it could be deleted."""

from collections.abc import AsyncIterator, Collection, Iterable
from dataclasses import dataclass
from typing import Final, assert_never

from rich.filesize import decimal

from application.sweeps import FindingsPage, FinishedSweep, SweepUnfinished, SweepUnknown
from domain.media.proxy_finding import DELETABLE, Finding, FindingKind, FindingNumber
from domain.work_item import WorkItem
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.item_words import SHORTEST_ID, outcome, status_word
from entrypoints.wiring.desk import Desk

PAGE: Final = 1_000


@dataclass(slots=True)
class Deletable:
    """How many files could be deleted, and their bytes together."""

    files: int = 0
    size: int = 0

    def add(self, findings: Iterable[Finding]) -> None:
        """Count those that are such files."""
        for finding in findings:
            if finding.what in DELETABLE:
                self.files += 1
                self.size += finding.size

    def __str__(self) -> str:
        """As people say it."""
        return f"{self.files:,} {'file' if self.files == 1 else 'files'} ({decimal(self.size)})"


async def pages(
    desk: Desk, sweep: WorkItem, kinds: Collection[FindingKind] = frozenset(FindingKind)
) -> AsyncIterator[FindingsPage]:
    """Every page of findings, an empty one too. Raises `CommandError` where the sweep has none that could be read."""
    after: FindingNumber | None = FindingNumber(0)
    while after is not None:
        match await desk.sweeps().findings(sweep.id, kinds=kinds, after=after, limit=PAGE):
            case FindingsPage() as page:
                _require_findings(page.sweep)
                yield page
                after = page.next
            case SweepUnknown():
                raise CommandError(
                    f"{_short(sweep)} is no proxy sweep ({sweep.kind}), or it is gone", ExitCode.NOT_FOUND
                )
            case SweepUnfinished(item=item):
                raise CommandError(
                    f"sweep {_short(item)} is {status_word(item)}: what it finds can be read when it has finished "
                    f"('anichron items watch {item.id} --until-finished' waits for that)",
                    ExitCode.CONFLICT,
                )
            case answer:
                assert_never(answer)


def _require_findings(sweep: WorkItem) -> None:
    """A sweep that was broken off has none, which is not the same as having found nothing."""
    if FinishedSweep(sweep).shown is None:
        raise CommandError(
            f"sweep {_short(sweep)} has no findings: {status_word(sweep)}, {outcome(sweep)}",
            ExitCode.CONFLICT,
        )


def _short(item: WorkItem) -> str:
    return str(item.id)[:SHORTEST_ID]
