"""What finished proxy sweeps have found, for people to look at."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import assert_never

from application.ports.ledger import WorkLedger
from application.ports.sweep_findings import SweepFindings
from domain.attempt import RunId
from domain.ids import WorkItemId
from domain.kinds.kind import WorkKind
from domain.media.proxy_finding import Finding, FindingKind, FindingNumber
from domain.outcomes import UnknownItem
from domain.work_item import TERMINAL, Cancelled, PartialResult, Status, Succeeded, WorkItem


@dataclass(frozen=True, slots=True)
class SweepUnknown:
    """No proxy sweep has this id, or no longer."""


@dataclass(frozen=True, slots=True)
class SweepUnfinished:
    """The sweep waits or runs: what it finds can be read when it has finished."""

    item: WorkItem


@dataclass(frozen=True, slots=True)
class FinishedSweep:
    """A sweep whose findings never change any more."""

    item: WorkItem

    @property
    def shown(self) -> RunId | None:
        """The attempt that finished it: rows of all others are nobody's (S-21). None where there are none to show.

        Whoever was stopped by force may go on writing for a while, so only what a run itself has ended counts.
        """
        match self.item.state:
            case Succeeded() | Cancelled(left=PartialResult()):
                return RunId(self.item.id, self.item.attempt)
            case _:
                return None


@dataclass(frozen=True, slots=True)
class FindingsPage:
    """Some findings, and where to go on; `next` is None on the last page. `is_partial`: the sweep was cancelled."""

    sweep: WorkItem
    findings: tuple[Finding, ...]
    next: FindingNumber | None

    @property
    def is_partial(self) -> bool:
        """Whether the sweep ended before it had looked at everything."""
        return self.sweep.status is Status.CANCELLED


class Sweeps:
    """Reads, and never writes."""

    def __init__(self, ledger: WorkLedger, findings: SweepFindings) -> None:
        """Take what it needs."""
        self._ledger = ledger
        self._findings = findings

    async def findings(
        self,
        sweep: WorkItemId,
        *,
        kinds: Collection[FindingKind] = frozenset(FindingKind),
        after: FindingNumber = FindingNumber(0),  # noqa: B008 -- a number
        limit: int,
    ) -> FindingsPage | SweepUnknown | SweepUnfinished:
        """Some findings of one sweep, in the order in which they were found."""
        match await finished_sweep(self._ledger, sweep):
            case FinishedSweep(item=item, shown=RunId() as run):
                page = await self._findings.page(run, kinds=kinds, after=after, limit=limit + 1)
                return FindingsPage(item, page[:limit], page[limit - 1].number if len(page) > limit else None)
            case FinishedSweep(item=item):
                return FindingsPage(item, (), None)
            case (SweepUnknown() | SweepUnfinished()) as answer:
                return answer
            case answer:
                assert_never(answer)


async def finished_sweep(
    ledger: WorkLedger, sweep: WorkItemId
) -> FinishedSweep | SweepUnknown | SweepUnfinished:
    """The sweep of this id, if it is one and has finished."""
    item = await ledger.get(sweep)
    if isinstance(item, UnknownItem) or item.kind != WorkKind.PROXY_SWEEP.row_name:
        return SweepUnknown()
    return FinishedSweep(item) if item.status in TERMINAL else SweepUnfinished(item)
