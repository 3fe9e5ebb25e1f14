"""The queue's store in memory. `advance` decides every change; what is here finds rows and keeps them."""

from datetime import timedelta

from adapters.memory.work_ledger import MemoryWorkLedger
from application.ports.claims import ClaimRequest, Ticket
from application.ports.errors import StoreRefused
from application.ports.expired import ExpiredLease
from application.ports.transactions import Transaction
from application.ports.work_store import WorkStore
from domain.due import NEVER_SEEN, is_due
from domain.events import Claim, Event, ExpireLease, Heartbeat, Moment, RequestCancel, RunEnd
from domain.ids import DedupKey, WorkerName, WorkItemId
from domain.lifecycle import advance
from domain.moves import Moved
from domain.outcomes import (
    AlreadyFinished,
    CancelAnswer,
    CancelledNow,
    CancelRequested,
    Coalesced,
    Created,
    DueAnswer,
    EnqueueAnswer,
    Fenced,
    FinishAnswer,
    HeartbeatAnswer,
    LeaseExtended,
    NotDue,
    NotExpired,
    Recorded,
    Recovered,
    RecoveryAnswer,
    Refused,
    StopRequested,
    UnknownItem,
    UnknownScope,
)
from domain.scope import AllScopes, Scope, UserScope
from domain.work_item import NewWorkItem, Running, Status, WorkItem


class MemoryWorkStore(MemoryWorkLedger, WorkStore):
    """Every verb is one step under the database's lock."""

    async def insert(self, new: NewWorkItem, *, within: Transaction | None = None) -> EnqueueAnswer:
        async with self._database.step(within):
            return self._insert(new)

    async def insert_if_due(self, new: NewWorkItem, *, interval: timedelta) -> DueAnswer:
        if new.dedup_key is None:
            raise ValueError("periodic work is known by its dedup key")
        async with self._database.step():
            if new.id in self._items:
                return Created(new.id)
            history = self.all_histories().get(new.dedup_key, NEVER_SEEN)
            if not is_due(interval, history, self._database.now()):
                return NotDue()
            answer = self._insert(new)
            return NotDue() if isinstance(answer, Coalesced) else answer

    async def claim(self, request: ClaimRequest) -> tuple[WorkItem, ...]:
        async with self._database.step():
            return self._claim(request)

    async def finish(self, item: WorkItemId, end: RunEnd) -> FinishAnswer:
        async with self._database.step():
            return self._finish(item, end)

    async def finish_and_claim(
        self, item: WorkItemId, end: RunEnd, request: ClaimRequest
    ) -> tuple[FinishAnswer, tuple[WorkItem, ...]]:
        async with self._database.step():
            return self._finish(item, end), self._claim(request)

    async def held_by(self, holder: WorkerName) -> tuple[Ticket, ...]:
        async with self._database.step():
            return tuple(
                Ticket(item.id, item.attempt)
                for item, running in self.running()
                if running.lease.holder == holder
            )

    async def heartbeat(self, item: WorkItemId, beat: Heartbeat) -> HeartbeatAnswer:
        async with self._database.step():
            match self._apply(item, beat):
                case Moved(item=WorkItem(state=Running(cancel_requested_at=None))):
                    return LeaseExtended()
                case Moved():
                    return StopRequested()
                case Fenced() | Refused() | UnknownItem():
                    return Fenced()

    async def expired(self, *, limit: int) -> tuple[ExpiredLease, ...]:
        async with self._database.step():
            now = self._database.now()
            sightings = [
                ExpiredLease(item.id, item.attempt, running.lease.until)
                for item, running in self.running()
                if running.lease.expired(now)
            ]
            return tuple(sorted(sightings, key=lambda sighting: (sighting.lease_until, sighting.id))[:limit])

    async def recover(self, sighting: ExpiredLease, *, stall_limit: int) -> RecoveryAnswer:
        async with self._database.step():
            if sighting not in (
                ExpiredLease(item.id, item.attempt, running.lease.until) for item, running in self.running()
            ):
                return NotExpired()
            moved = self._apply(sighting.id, ExpireLease(stall_limit))
            return Recovered(moved.item) if isinstance(moved, Moved) else NotExpired()

    async def cancel(self, item: WorkItemId) -> CancelAnswer:
        async with self._database.step():
            match self._apply(item, RequestCancel()):
                case Moved(item=WorkItem(state=Running()) as asked):
                    return CancelRequested(asked)
                case Moved(item=cancelled):
                    return CancelledNow(cancelled)
                case Fenced() | Refused():
                    return AlreadyFinished(self._items[item])
                case UnknownItem():
                    return UnknownItem()

    async def purge(self, *, older_than: timedelta, limit: int) -> int:
        async with self._database.step():
            finished = sorted((at, item.id, item.dedup_key) for item, at in self.finished())
            newest = {key: id_ for _, id_, key in finished}
            before = self._database.now() - older_than
            leaving = [
                id_ for at, id_, key in finished if at < before and (key is None or newest[key] != id_)
            ]
            for id_ in leaving[:limit]:
                self._database.forget_item(id_)
            return len(leaving[:limit])

    async def purge_tombstones(self, *, older_than: timedelta, limit: int) -> int:
        async with self._database.step():
            return self._database.changes.purge(self._database.now() - older_than, limit=limit)

    def _insert(self, new: NewWorkItem) -> EnqueueAnswer:
        if new.id in self._items:
            return Created(new.id)
        waiting = self._waiting(new.dedup_key)
        if waiting is not None:
            return Coalesced(waiting.id)
        if new.storage_config_id is not None and new.storage_config_id not in self._database.storage_configs:
            return UnknownScope()
        if new.requested_by is not None and new.requested_by not in self._database.users:
            raise StoreRefused("nobody with this id may ask for work")
        self._items[new.id] = new.queued_at(self._database.now())
        return Created(new.id)

    def _claim(self, request: ClaimRequest) -> tuple[WorkItem, ...]:
        moment = Moment(self._database.now())
        event = Claim(request.holder, request.lease_for)
        claimed: list[WorkItem] = []
        for item in sorted(self._items.values(), key=lambda item: (item.requested_at, item.id)):
            if len(claimed) == request.limit:
                break
            if item.kind in request.kinds and self._serves(request.scope, item):
                moved = self._keep(advance(item, event, moment))
                claimed += [moved.item] if isinstance(moved, Moved) else []
        return tuple(claimed)

    def _finish(self, item: WorkItemId, end: RunEnd) -> FinishAnswer:
        if isinstance(self._apply(item, end), Moved):
            return Recorded()
        history = self._database.attempts.get(item, ())
        return Recorded() if any(attempt.is_end_of(end) for attempt in history) else Fenced()

    def _apply(self, item: WorkItemId, event: Event) -> Moved | Fenced | Refused | UnknownItem:
        found = self._items.get(item)
        if found is None:
            return UnknownItem()
        twin = self._waiting(found.dedup_key)
        moment = Moment(self._database.now(), None if twin is None else twin.id)
        return self._keep(advance(found, event, moment), twin)

    def _keep(
        self, outcome: Moved | Fenced | Refused, twin: WorkItem | None = None
    ) -> Moved | Fenced | Refused:
        """Write what the event changed: the item, the attempt that it ended, and what the twin takes over."""
        if isinstance(outcome, Moved):
            item = outcome.item
            self._items[item.id] = item
            if outcome.ended is not None:
                earlier = self._database.attempts.get(item.id, ())
                self._database.attempts[item.id] = (*earlier, outcome.ended)
            if outcome.inheritance is not None and twin is not None:
                self._keep(advance(twin, outcome.inheritance, Moment(self._database.now())))
        return outcome

    def _waiting(self, key: DedupKey | None) -> WorkItem | None:
        with_key = (item for item in self._items.values() if key is not None and item.dedup_key == key)
        return next((item for item in with_key if item.status is Status.QUEUED), None)

    def _serves(self, scope: Scope, item: WorkItem) -> bool:
        match scope:
            case AllScopes():
                return True
            case UserScope(user_id=user):
                if item.storage_config_id is None:
                    return True
                config = self._database.storage_configs[item.storage_config_id]
                return config.user_id == user and config.is_active
