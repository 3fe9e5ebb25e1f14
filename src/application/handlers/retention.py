"""Deletes finished items that are old enough."""

from datetime import timedelta
from typing import Final

from application.handling import Handler, Run, Stopped
from application.ports.purge import FinishedWork
from domain.kinds.retention import WorkItemRetentionPayload, WorkItemRetentionResult

BATCH: Final = 1_000

TOMBSTONES_FOR: Final = timedelta(days=7)
"""How long somebody may be away and still be told which items went; after that they read everything anew."""


class WorkItemRetentionHandler(Handler[WorkItemRetentionPayload]):
    """Deletes in small batches until none is left, so a run that was cut off is simply followed by another."""

    def __init__(self, finished: FinishedWork, *, keep_for: timedelta) -> None:
        self._finished = finished
        self._keep_for = keep_for

    async def handle(self, run: Run[WorkItemRetentionPayload]) -> WorkItemRetentionResult | Stopped:
        deleted = 0
        while batch := await self._finished.purge(older_than=self._keep_for, limit=BATCH):
            deleted += batch
            run.progress.report(done=deleted)
            if run.cancel.requested:
                return Stopped(WorkItemRetentionResult(deleted))
        while await self._finished.purge_tombstones(older_than=TOMBSTONES_FOR, limit=BATCH):
            if run.cancel.requested:
                return Stopped(WorkItemRetentionResult(deleted))
        return WorkItemRetentionResult(deleted)
