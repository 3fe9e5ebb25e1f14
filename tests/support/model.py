"""The queue as `advance` alone would have it: what a store's whole table is compared with."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from application.ports.claims import ClaimRequest, Ticket
from domain.attempt import EndedAttempt
from domain.due import KeyHistory, is_due
from domain.events import Claim, Event, ExpireLease, Moment, RequestCancel, RunEnd
from domain.ids import DedupKey, StorageConfigId, UserId, WorkerName, WorkItemId
from domain.lifecycle import advance
from domain.moves import Moved
from domain.outcomes import (
    Coalesced,
    Created,
    DueAnswer,
    EnqueueAnswer,
    Fenced,
    FinishAnswer,
    NotDue,
    Recorded,
    UnknownScope,
)
from domain.scope import AllScopes, UserScope
from domain.work_item import Cancelled, Failed, NewWorkItem, Running, Status, Succeeded, WorkItem
from tests.support.clock import START


@dataclass(slots=True)
class QueueModel:
    """One table, one event after the other."""

    now: datetime = START
    items: dict[WorkItemId, WorkItem] = field(default_factory=dict)
    attempts: dict[WorkItemId, tuple[EndedAttempt, ...]] = field(default_factory=dict)
    owners: dict[StorageConfigId, UserId] = field(default_factory=dict)

    def insert(self, new: NewWorkItem) -> EnqueueAnswer:
        """Queue it, unless its key waits or its scope is gone."""
        waiting = self.waiting(new.dedup_key)
        if waiting is not None:
            return Coalesced(waiting.id)
        if new.storage_config_id is not None and new.storage_config_id not in self.owners:
            return UnknownScope()
        self.items[new.id] = new.queued_at(self.now)
        return Created(new.id)

    def insert_if_due(self, new: NewWorkItem, interval: timedelta) -> DueAnswer:
        """Queue it, if its key is due."""
        of_key = [item for item in self.items.values() if item.dedup_key == new.dedup_key]
        ends = [finished_at(item) for item in of_key]
        history = KeyHistory(
            active=any(end is None for end in ends),
            last_finished_at=max((end for end in ends if end is not None), default=None),
        )
        answer = self.insert(new) if is_due(interval, history, self.now) else NotDue()
        assert not isinstance(answer, Coalesced)
        return answer

    def claim(self, request: ClaimRequest) -> tuple[WorkItem, ...]:
        """Start the oldest that are ready and served."""
        claims: list[WorkItem] = []
        for item in sorted(self.items.values(), key=lambda item: (item.requested_at, item.id)):
            if len(claims) < request.limit and item.kind in request.kinds and self._serves(request, item):
                moved = self.apply(item.id, Claim(request.holder, request.lease_for))
                claims += [moved.item] if isinstance(moved, Moved) else []
        return tuple(claims)

    def finish(self, ticket: Ticket, end: RunEnd) -> FinishAnswer:
        """End an attempt."""
        if isinstance(self.apply(ticket.id, end), Moved):
            return Recorded()
        past = self.attempts.get(ticket.id, ())
        return Recorded() if any(attempt.is_end_of(end) for attempt in past) else Fenced()

    def expired(self) -> set[WorkItemId]:
        """Whose lease has run out."""
        states = {item.id: item.state for item in self.items.values()}
        return {
            id_
            for id_, state in states.items()
            if isinstance(state, Running) and state.lease.expired(self.now)
        }

    def recover(self, item: WorkItemId, stall_limit: int) -> WorkItem:
        """Move one item whose lease has run out."""
        moved = self.apply(item, ExpireLease(stall_limit))
        assert isinstance(moved, Moved)
        return moved.item

    def cancel(self, item: WorkItemId) -> Status:
        """Cancel, and say in which status that leaves the item."""
        self.apply(item, RequestCancel())
        return self.items[item].status

    def purge(self, older_than: timedelta) -> int:
        """Delete what finished long ago and is not the last of its key."""
        ends = {item.id: (finished_at(item), item.id) for item in self.items.values()}
        finished = sorted((end, id_) for end, id_ in ends.values() if end is not None)
        last = {self.items[id_].dedup_key: id_ for _, id_ in finished}
        leaving = [
            id_
            for end, id_ in finished
            if end + older_than < self.now
            and (self.items[id_].dedup_key is None or last[self.items[id_].dedup_key] != id_)
        ]
        for id_ in leaving:
            self._forget(id_)
        return len(leaving)

    def remove_config(self, config: StorageConfigId) -> None:
        """Delete a config with its items."""
        del self.owners[config]
        for item in [item.id for item in self.items.values() if item.storage_config_id == config]:
            self._forget(item)

    def held_by(self, holder: WorkerName) -> set[Ticket]:
        """What this worker runs."""
        return {
            Ticket(item.id, item.attempt)
            for item in self.items.values()
            if isinstance(item.state, Running) and item.state.lease.holder == holder
        }

    def apply(self, item: WorkItemId, event: Event) -> object:
        """Let one event happen to one item."""
        found = self.items.get(item)
        if found is None:
            return Fenced()
        twin = self.waiting(found.dedup_key)
        moment = Moment(self.now, twin=None if twin is None else twin.id)
        outcome = advance(found, event, moment)
        if isinstance(outcome, Moved):
            self.items[item] = outcome.item
            if outcome.ended is not None:
                self.attempts[item] = (*self.attempts.get(item, ()), outcome.ended)
            if twin is not None and outcome.inheritance is not None:
                self.apply(twin.id, outcome.inheritance)
        return outcome

    def waiting(self, key: DedupKey | None) -> WorkItem | None:
        """The item that waits with this key."""
        waiting = [item for item in self.items.values() if item.status is Status.QUEUED]
        of_key = [item for item in waiting if key is not None and item.dedup_key == key]
        assert len(of_key) <= 1, "two items wait with one key"
        return of_key[0] if of_key else None

    def _serves(self, request: ClaimRequest, item: WorkItem) -> bool:
        match request.scope:
            case AllScopes():
                return True
            case UserScope(user_id=user):
                return item.storage_config_id is None or self.owners[item.storage_config_id] == user

    def _forget(self, item: WorkItemId) -> None:
        del self.items[item]
        self.attempts.pop(item, None)


def finished_at(item: WorkItem) -> datetime | None:
    """When an item finished, if it did."""
    return item.state.finished_at if isinstance(item.state, Succeeded | Failed | Cancelled) else None
