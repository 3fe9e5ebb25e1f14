"""The queue's store in SQL. `advance` decides every change here, on a row that is locked meanwhile."""

from datetime import datetime
from typing import Final
from uuid import UUID

import sqlalchemy as sa

from adapters.sql.apply import Outcome, advance_locked, apply
from adapters.sql.inbox import SqlWorkInbox
from adapters.sql.ledger import SqlWorkLedger
from adapters.sql.purge import SqlFinishedWork
from adapters.sql.rows import attempt_of, item_of
from adapters.sql.statements import ATTEMPT, ITEM, LOCKED_ITEM_IF_FREE
from adapters.sql.tables import running, work_items
from application.ports.claims import Ticket
from application.ports.expired import ExpiredLease
from application.ports.work_store import WorkStore
from domain.events import Event, ExpireLease, RequestCancel, RunEnd
from domain.ids import Attempt, WorkerName, WorkItemId
from domain.moves import Moved
from domain.outcomes import (
    AlreadyFinished,
    CancelAnswer,
    CancelledNow,
    CancelRequested,
    Fenced,
    FinishAnswer,
    NotExpired,
    Recorded,
    Recovered,
    RecoveryAnswer,
    Refused,
    UnknownItem,
)
from domain.work_item import Running, WorkItem

RUNNING_NOW: Final = (work_items.c.id, work_items.c.attempt, work_items.c.lease_until)


class SqlWorkStore(SqlWorkInbox, SqlWorkLedger, SqlFinishedWork, WorkStore):
    """Every verb that is the same on all databases: all of them but the hot ones, which each has for itself."""

    async def held_by(self, holder: WorkerName) -> tuple[Ticket, ...]:
        query = sa.select(*RUNNING_NOW).where(running, work_items.c.claimed_by == holder)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(Ticket(WorkItemId(row.id), Attempt(row.attempt)) for row in rows)

    async def expired(self, *, limit: int) -> tuple[ExpiredLease, ...]:
        query = (
            sa.select(*RUNNING_NOW)
            .where(running, work_items.c.lease_until <= self._dialect.as_of)
            .order_by(work_items.c.lease_until, work_items.c.id)
            .limit(limit)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(_sighting(row.id, row.attempt, row.lease_until) for row in rows)

    async def recover(self, sighting: ExpiredLease, *, stall_limit: int) -> RecoveryAnswer:
        event = ExpireLease(stall_limit)
        return await self._database.write(lambda connection: self._recover(connection, sighting, event))

    async def cancel(self, item: WorkItemId) -> CancelAnswer:
        return await self._database.write(lambda connection: self._cancel(connection, item))

    def _finish(self, connection: sa.Connection, item: WorkItemId, end: RunEnd) -> FinishAnswer:
        if isinstance(self._apply(connection, item, end), Moved):
            return Recorded()
        return recorded_or_fenced(connection, item, end)

    def _recover(
        self, connection: sa.Connection, sighting: ExpiredLease, event: ExpireLease
    ) -> RecoveryAnswer:
        # Whoever has it locked is about to change it: nobody has to wait for that (R12).
        row = connection.execute(LOCKED_ITEM_IF_FREE, {"item": sighting.id}).one_or_none()
        if row is None or _sighting(row.id, row.attempt, row.lease_until) != sighting:
            return NotExpired()
        outcome = advance_locked(connection, self._dialect, item_of(row), event)
        return Recovered(outcome.item) if isinstance(outcome, Moved) else NotExpired()

    def _cancel(self, connection: sa.Connection, item: WorkItemId) -> CancelAnswer:
        match self._apply(connection, item, RequestCancel()):
            case Moved(item=WorkItem(state=Running()) as asked):
                return CancelRequested(asked)
            case Moved(item=cancelled):
                return CancelledNow(cancelled)
            case Fenced() | Refused():
                return AlreadyFinished(item_of(connection.execute(ITEM, {"item": item}).one()))
            case UnknownItem():
                return UnknownItem()

    def _apply(self, connection: sa.Connection, item: WorkItemId, event: Event) -> Outcome | UnknownItem:
        return apply(connection, self._dialect, item, event)


def recorded_or_fenced(connection: sa.Connection, item: WorkItemId, end: RunEnd) -> FinishAnswer:
    """The answer for an end that found its attempt over: it may be what ended it, the reply being lost (R15)."""
    row = connection.execute(ATTEMPT, {"item": item, "attempt": end.attempt}).one_or_none()
    return Recorded() if row is not None and attempt_of(row).is_end_of(end) else Fenced()


def _sighting(item: UUID, attempt: int, lease_until: datetime) -> ExpiredLease:
    return ExpiredLease(WorkItemId(item), Attempt(attempt), lease_until)
