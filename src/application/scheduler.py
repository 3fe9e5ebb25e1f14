"""Asks for periodic work that is due."""

from dataclasses import dataclass, field

from application.enqueue import WorkQueue
from application.one_by_one import OneByOne
from application.ports.journal import Journal, WorkScheduled
from application.ports.ledger import WorkLedger
from application.ports.storage_configs import StorageConfigs
from application.scheduling import PeriodicWork, Schedule
from domain.due import NEVER_SEEN, is_due
from domain.outcomes import Created
from domain.scope import Scope


@dataclass(slots=True, kw_only=True)
class Scheduler:
    """Every worker runs the same one for the scopes that it serves; it keeps no time of its own (S-9, S-10)."""

    queue: WorkQueue
    ledger: WorkLedger
    configs: StorageConfigs
    schedules: tuple[Schedule, ...]
    scope: Scope
    journal: Journal
    _rows: OneByOne[PeriodicWork] = field(init=False)

    def __post_init__(self) -> None:
        self._rows = OneByOne[PeriodicWork]("schedule", self.journal)

    async def schedule(self) -> None:
        """Queue whatever is due. Costs two reads while nothing is."""
        served = await self.configs.served(self.scope)
        wanted = [work for schedule in self.schedules for work in schedule.wanted(served)]
        histories = await self.ledger.histories(frozenset(work.dedup_key for work in wanted))
        # A first look that spares the store a lock for each key; `enqueue_if_due` looks again under it.
        due = [
            work
            for work in wanted
            if is_due(work.interval, histories.by_key.get(work.dedup_key, NEVER_SEEN), histories.as_of)
        ]
        await self._rows.each(due, self._enqueue)

    async def _enqueue(self, work: PeriodicWork) -> None:
        answer = await self.queue.enqueue_if_due(work)
        if isinstance(answer, Created):
            self.journal.record(WorkScheduled(answer.id, work.payload.kind.row_name, work.dedup_key))
