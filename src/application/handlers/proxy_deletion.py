"""Deletes chosen files of a finished sweep, each after another look at it."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Final, assert_never

from application.handling import Handler, PermanentError, Run, Stopped, WorkError
from application.ports.clock import Clock
from application.ports.known_proxies import KnownProxies
from application.ports.proxy_folder import (
    FileDeleted,
    FileFate,
    FileGone,
    FileStuck,
    KeptBecause,
    ProxyFolder,
)
from application.ports.sweep_findings import SweepFindings
from domain.attempt import RunId
from domain.ids import Attempt
from domain.kinds.proxy_deletion import ProxyDeletionPayload, ProxyDeletionResult
from domain.media.proxy_finding import DELETABLE, SETTLED_AFTER, Finding, FindingNumber
from domain.media.proxy_path import ProxyPath, proxy_path

BATCH: Final = 500
"""Files that are looked up, and then deleted, together."""


@dataclass(slots=True)
class _Tally:
    """What became of the files so far."""

    deleted: int = 0
    deleted_bytes: int = 0
    already_gone: int = 0
    kept: Counter[str] = field(default_factory=Counter)
    stuck: int = 0
    why_stuck: str = ""

    def add(self, fate: FileFate) -> None:
        """Count one file."""
        match fate:
            case FileDeleted(size=size):
                self.deleted += 1
                self.deleted_bytes += size
            case FileGone():
                self.already_gone += 1
            case FileStuck():
                self.stuck, self.why_stuck = self.stuck + 1, fate.why
            case KeptBecause():
                self.kept[fate.value] += 1
            case _:
                assert_never(fate)

    @property
    def done(self) -> int:
        """How many files have been dealt with."""
        return self.deleted + self.already_gone + self.kept.total() + self.stuck


class ProxyDeletionHandler(Handler[ProxyDeletionPayload]):
    """Deletes what is still an orphan. What is gone already is fine, so a run that was cut off is just followed by another."""

    def __init__(
        self, folder: ProxyFolder, proxies: KnownProxies, findings: SweepFindings, clock: Clock
    ) -> None:
        self._folder = folder
        self._proxies = proxies
        self._findings = findings
        self._clock = clock

    async def handle(self, run: Run[ProxyDeletionPayload]) -> ProxyDeletionResult | Stopped:
        tally = _Tally()
        total = await self._total(run.payload)
        async for findings in self._chosen(run.payload):
            await self._delete(findings, tally)
            run.progress.report(done=tally.done, total=total)
            if run.cancel.requested:
                return Stopped(_result(tally))
        if tally.stuck:
            raise WorkError(
                "proxies-undeletable", f"{tally.stuck} of {total} files cannot be deleted: {tally.why_stuck}."
            )
        if tally.done < total:
            raise _sweep_gone()
        return _result(tally)

    async def _total(self, payload: ProxyDeletionPayload) -> int:
        amounts = await self._findings.deletable(_sweep(payload))
        if not amounts:
            raise _sweep_gone()
        of_owners = sum(amounts[owner].files for owner in payload.owners if owner in amounts)
        return len(payload.findings) or of_owners

    async def _chosen(self, payload: ProxyDeletionPayload) -> AsyncIterator[Sequence[Finding]]:
        sweep = _sweep(payload)
        for start in range(0, len(payload.findings), BATCH):
            some = payload.findings[start : start + BATCH]
            yield await self._findings.numbered(sweep, [FindingNumber(number) for number in some])
        after = FindingNumber(0)
        while not payload.findings:
            page = await self._findings.page(
                sweep, kinds=DELETABLE, owners=payload.owners, after=after, limit=BATCH
            )
            if not page:
                return
            yield page
            after = page[-1].number

    async def _delete(self, findings: Sequence[Finding], tally: _Tally) -> None:
        named = [proxy_path(finding.path) for finding in findings if finding.what in DELETABLE]
        paths = [path for path in named if isinstance(path, ProxyPath)]
        # First the rows, then the files: a crawl writes a file before its row, so whatever came to be known since
        # is too young to be deleted.
        known = await self._proxies.among([path.text for path in paths])
        before = self._clock.now() - SETTLED_AFTER
        unknown = [path for path in paths if path.text not in known]
        for fate in await self._folder.delete(unknown, before=before):
            tally.add(fate)
        for _ in range(len(paths) - len(unknown)):
            tally.add(KeptBecause.KNOWN)
        for _ in range(len(findings) - len(paths)):
            tally.add(KeptBecause.NOT_A_FILE)


def _sweep_gone() -> PermanentError:
    return PermanentError("sweep-gone", "The sweep and its findings are not there any more.")


def _sweep(payload: ProxyDeletionPayload) -> RunId:
    return RunId(payload.sweep_id, Attempt(payload.attempt))


def _result(tally: _Tally) -> ProxyDeletionResult:
    return ProxyDeletionResult(
        deleted=tally.deleted,
        deleted_bytes=tally.deleted_bytes,
        kept=tally.kept.total(),
        already_gone=tally.already_gone,
        kept_by_reason=dict(tally.kept),
    )
