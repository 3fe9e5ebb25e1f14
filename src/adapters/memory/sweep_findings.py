"""The findings of proxy sweeps, in memory."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from adapters.memory.database import MemoryDatabase
from application.ports.errors import StoreRefused
from application.ports.sweep_findings import SweepFindings
from domain.attempt import RunId
from domain.ids import StorageConfigId
from domain.media.proxy_finding import DELETABLE, Amount, Finding, FindingKind, FindingNumber


class MemorySweepFindings(SweepFindings):
    """The findings of one memory database."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def record(self, run: RunId, findings: Sequence[Finding]) -> None:
        if not findings:
            return
        async with self._database.step():
            if run.work_item_id not in self._database.work_items:
                raise StoreRefused("the sweep does not exist")
            earlier = self._database.sweep_findings.get(run, {})
            self._database.sweep_findings[run] = {
                **{finding.number: finding for finding in findings},
                **earlier,
            }

    async def page(
        self,
        run: RunId,
        *,
        kinds: Collection[FindingKind],
        owners: Collection[StorageConfigId] | None = None,
        after: FindingNumber = FindingNumber(0),  # noqa: B008 -- a number
        limit: int,
    ) -> tuple[Finding, ...]:
        async with self._database.step():
            beyond = (finding for finding in self._of(run) if finding.number > after)
            shown = [
                finding
                for finding in beyond
                if finding.what in kinds and (owners is None or finding.owner in owners)
            ]
            return tuple(shown[:limit])

    async def numbered(self, run: RunId, numbers: Collection[FindingNumber]) -> tuple[Finding, ...]:
        async with self._database.step():
            return tuple(finding for finding in self._of(run) if finding.number in numbers)

    async def deletable(self, run: RunId) -> Mapping[StorageConfigId, Amount]:
        async with self._database.step():
            sizes: defaultdict[StorageConfigId, list[int]] = defaultdict(list)
            for finding in self._of(run):
                if finding.what in DELETABLE:
                    sizes[finding.owner].append(finding.size)
            return {owner: Amount(len(files), sum(files)) for owner, files in sizes.items()}

    def _of(self, run: RunId) -> Iterator[Finding]:
        by_number = self._database.sweep_findings.get(run, {})
        return (by_number[number] for number in sorted(by_number))
