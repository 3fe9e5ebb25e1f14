"""Compares the proxies folder with the rows, and reports what does not fit."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from application.handling import Handler, Run, Stopped, WorkError
from application.ports.clock import Clock
from application.ports.known_proxies import KnownProxies, KnownProxy
from application.ports.proxy_folder import FolderPart, ProxiesUnreadable, ProxyFolder, SeenProxy
from application.ports.sweep_findings import SweepFindings
from domain.kinds.proxy_sweep import ProxySweepPayload, ProxySweepResult
from domain.media.proxy_finding import Finding, FindingKind, FindingNumber, is_settled

BATCH: Final = 1_000
"""Rows that are looked up together."""

SweepRun = Run[ProxySweepPayload]


@dataclass(slots=True)
class _Tally:
    """What one run has seen so far."""

    files: int = 0
    rows: int = 0
    young: int = 0
    foreign: int = 0
    found: Counter[FindingKind] = field(default_factory=Counter)
    size: Counter[FindingKind] = field(default_factory=Counter)


class ProxySweepHandler(Handler[ProxySweepPayload]):
    """Looks at every file, then at every row, in parts of bounded size. It changes nothing but its own findings."""

    def __init__(
        self, folder: ProxyFolder, proxies: KnownProxies, findings: SweepFindings, clock: Clock
    ) -> None:
        self._folder = folder
        self._proxies = proxies
        self._findings = findings
        self._clock = clock

    async def handle(self, run: SweepRun) -> ProxySweepResult | Stopped:
        tally = _Tally()
        try:
            is_whole = await self._sweep_files(run, tally) and await self._sweep_rows(run, tally)
        except ProxiesUnreadable as error:
            raise WorkError("proxies-unreadable", f"The proxies folder cannot be read: {error}.") from error
        return _result(tally) if is_whole else Stopped(_result(tally))

    async def _sweep_files(self, run: SweepRun, tally: _Tally) -> bool:
        """Report the files that no row knows; whether the run got to the end of them."""
        has_rows = bool(await self._proxies.page(after=None, limit=1))
        async for part in self._folder.walk():
            if part.proxies and not has_rows:
                raise WorkError(
                    "library-empty",
                    "The proxies folder holds files, and the database knows none at all: it may be the wrong "
                    "one. Nothing was reported.",
                )
            await self._judge(run, part, tally)
            if run.cancel.requested:
                return False
        return True

    async def _judge(self, run: SweepRun, part: FolderPart, tally: _Tally) -> None:
        now = self._clock.now()
        known = await self._proxies.among([seen.path.text for seen in part.proxies])
        unknown = [seen for seen in part.proxies if seen.path.text not in known]
        orphans = [seen for seen in unknown if is_settled(seen.modified_at, now=now)]
        tally.files += len(part.proxies)
        tally.young += len(unknown) - len(orphans)
        tally.foreign += part.foreign
        await self._report(run, orphans, tally)

    async def _sweep_rows(self, run: SweepRun, tally: _Tally) -> bool:
        """Report the rows whose file is gone; whether the run got to the end of them."""
        after: str | None = None
        while rows := await self._proxies.page(after=after, limit=BATCH):
            absent = await self._folder.absent([row.path for row in rows])
            # A row that went with its asset since it was read misses nothing.
            missing = await self._proxies.among(absent)
            tally.rows += len(rows)
            await self._report(run, [row for row in rows if row.path in missing], tally)
            after = rows[-1].path
            if run.cancel.requested:
                return False
        return True

    async def _report(self, run: SweepRun, found: Sequence[SeenProxy | KnownProxy], tally: _Tally) -> None:
        first = tally.found.total() + 1
        findings = [_finding(FindingNumber(number), one) for number, one in enumerate(found, first)]
        if findings:
            await self._findings.record(run.id, findings)
        for finding in findings:
            tally.found[finding.what] += 1
            tally.size[finding.what] += finding.size
        run.progress.report(done=tally.files + tally.rows, note=f"{tally.found.total()} found")


def _finding(number: FindingNumber, one: SeenProxy | KnownProxy) -> Finding:
    match one:
        case SeenProxy(path=path, size=size, modified_at=modified_at):
            what = FindingKind.TEMPORARY_LEFTOVER if path.is_leftover else FindingKind.ORPHAN_FILE
            return Finding(number, what, path.text, size, modified_at, path.owner)
        case KnownProxy(path=text, size=size, owner=owner):
            return Finding(number, FindingKind.MISSING_FILE, text, size, None, owner)


def _result(tally: _Tally) -> ProxySweepResult:
    return ProxySweepResult(
        files=tally.files,
        rows=tally.rows,
        orphan_files=tally.found[FindingKind.ORPHAN_FILE],
        orphan_bytes=tally.size[FindingKind.ORPHAN_FILE],
        temporary_leftovers=tally.found[FindingKind.TEMPORARY_LEFTOVER],
        leftover_bytes=tally.size[FindingKind.TEMPORARY_LEFTOVER],
        missing_files=tally.found[FindingKind.MISSING_FILE],
        young_files=tally.young,
        foreign_files=tally.foreign,
    )
