"""One command to the store and to the model, with both answers compared."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from application.ports.claims import Ticket
from application.ports.storage_configs import Removed
from domain.events import RunEnd
from domain.ids import Attempt, StorageConfigId, UserId, WorkerName, WorkItemId
from domain.moves import Moved
from domain.outcomes import (
    AlreadyFinished,
    CancelledNow,
    CancelRequested,
    Created,
    Fenced,
    LeaseExtended,
    Recovered,
    RecoveryAnswer,
    StopRequested,
    UnknownItem,
)
from domain.progress import Progress
from domain.scope import Scope
from domain.work_item import NewWorkItem, Running, Status, WorkItem
from tests.support.builders import (
    a_claim,
    a_failure,
    a_heartbeat,
    a_release,
    a_retry,
    a_stop,
    a_success,
)
from tests.support.clock import START
from tests.support.coarse import GRID, coarse
from tests.support.house import House
from tests.support.laws import broken_laws
from tests.support.model import QueueModel
from tests.support.moves import sighted
from tests.support.reading import table_and_histories

TICK: Final = timedelta(milliseconds=10)
STEP: Final = 2 * GRID
LEASE: Final = 3 * GRID
RETRY_WAIT: Final = 5 * GRID
INTERVAL: Final = 9 * GRID
RETENTION: Final = 19 * GRID
STALL_LIMIT: Final = 2

ENDS: Final[dict[str, Callable[[Attempt], RunEnd]]] = {
    "success": lambda attempt: a_success(attempt, progress=Progress(9, 9)),
    "failure": a_failure,
    "retry": lambda attempt: a_retry(attempt, wait=RETRY_WAIT),
    "stop": a_stop,
    "release": a_release,
}

T = TypeVar("T")


class Commands:
    """A store and the model of it.

    What `advance` says is the same for both, so a few things are checked without it: the laws, and that
    whoever does not hold an attempt changes nothing.
    """

    def __init__(self, runner: asyncio.Runner, house: House) -> None:
        self.house = house
        self.store = house.store
        self.model = QueueModel()
        self._runner = runner
        self._before: dict[WorkItemId, WorkItem] = {}
        self._last_at = START

    def move_in(self) -> list[UserId]:
        """Empty the store; two users, who have no configs yet."""

        async def moved_in() -> list[UserId]:
            await self.house.pokes.clear()
            return [await self.house.a_user(), await self.house.a_user()]

        return self._runner.run(moved_in())

    def add_config(self, user: UserId) -> StorageConfigId:
        config = self._do(self.house.a_config(of=user))
        self.model.owners[config] = user
        return config

    def remove_config(self, config: StorageConfigId) -> None:
        assert isinstance(self._do(self.house.storage_configs.remove(config)), Removed)
        self.model.remove_config(config)

    def age(self, duration: timedelta) -> None:
        self.model.now += duration
        self._runner.run(self.house.age(duration))

    def enqueue(self, new: NewWorkItem) -> list[WorkItemId]:
        answer = self._do(self.store.insert(new))
        assert answer == self.model.insert(new)
        return [new.id] if isinstance(answer, Created) else []

    def enqueue_if_due(self, new: NewWorkItem) -> list[WorkItemId]:
        answer = self._do(self.store.insert_if_due(new, interval=INTERVAL))
        assert answer == self.model.insert_if_due(new, INTERVAL)
        return [new.id] if isinstance(answer, Created) else []

    def claim(self, *, by: WorkerName, scope: Scope | None = None, limit: int = 1) -> list[Ticket]:
        request = a_claim(by=by, scope=scope, lease_for=LEASE, limit=limit)
        claims = self._do(self.store.claim(request))
        assert _tickets(claims) == _tickets(self.model.claim(request))
        assert set(self._runner.run(self.store.held_by(by))) == self.model.held_by(by)
        return _tickets(claims)

    def beat(self, ticket: Ticket, progress: Progress | None) -> None:
        beat = a_heartbeat(ticket.attempt, progress=progress, lease_for=LEASE)
        holds, before = self._holds(ticket), dict(self.model.items)
        answer = self._do(self.store.heartbeat(ticket.id, beat))
        match self.model.apply(ticket.id, beat):
            case Moved(item=WorkItem(state=Running(cancel_requested_at=None))):
                assert answer == LeaseExtended()
            case Moved():
                assert answer == StopRequested()
            case _:
                assert answer == Fenced()
        assert holds or self.model.items == before

    def finish(self, ticket: Ticket, end: str) -> None:
        told = ENDS[end](ticket.attempt)
        holds, before = self._holds(ticket), dict(self.model.items)
        assert self._do(self.store.finish(ticket.id, told)) == self.model.finish(ticket, told)
        assert holds or self.model.items == before
        # Only a lease that runs out is a stall.
        assert not holds or self.model.items[ticket.id].stalls == before[ticket.id].stalls

    def finish_and_claim(self, ticket: Ticket, end: str, by: WorkerName) -> list[Ticket]:
        told, request = ENDS[end](ticket.attempt), a_claim(by=by, lease_for=LEASE)
        answer, claims = self._do(self.store.finish_and_claim(ticket.id, told, request))
        assert answer == self.model.finish(ticket, told)
        assert _tickets(claims) == _tickets(self.model.claim(request))
        return _tickets(claims)

    def recover(self) -> None:
        expired = [sighting.id for sighting in self._do(self.store.expired(limit=1_000))]
        assert set(expired) == self.model.expired()
        for item in expired:
            answer = self._do(self._recovered(item))
            assert isinstance(answer, Recovered)
            assert answer.item.status is self.model.recover(item, STALL_LIMIT).status

    def cancel(self, item: WorkItemId) -> None:
        before = self.model.items.get(item)
        answer = self._do(self.store.cancel(item))
        if before is None:
            assert answer == UnknownItem()
            return
        expected = {Status.QUEUED: CancelledNow, Status.RUNNING: CancelRequested}
        assert isinstance(answer, expected.get(before.status, AlreadyFinished))
        self.model.cancel(item)

    def purge(self) -> None:
        gone = self._do(self.store.purge(older_than=RETENTION, limit=1_000))
        assert gone == self.model.purge(RETENTION)

    def compare(self) -> None:
        """Compare the whole table, and the history of whatever has changed."""
        changed = [item for item, row in self.model.items.items() if row != self._before.get(item)]
        items, attempts, now = self._runner.run(table_and_histories(self.store, changed))
        expected = {item: self.model.attempts.get(item, ()) for item in changed}
        assert coarse(items, now) == coarse(self.model.items, self.model.now)
        assert coarse(attempts, now) == coarse(expected, self.model.now)
        assert broken_laws(self._before, self.model.items) == []
        self._before = dict(self.model.items)

    def _do(self, command: Coroutine[Any, Any, T]) -> T:
        """Run one command, a little later than the one before it by the store's own clock."""

        async def done() -> T:
            if await self._now() == self._last_at:
                await self.house.age(TICK)
            answer = await command
            self._last_at = await self._now()
            return answer

        self.model.now += TICK
        return self._runner.run(done())

    async def _now(self) -> datetime:
        return (await self.store.histories(frozenset())).as_of

    async def _recovered(self, item: WorkItemId) -> RecoveryAnswer:
        # Seen again: in some stores time passes by moving all instants, that of the sighting among them.
        return await self.store.recover(await sighted(self.house, item), stall_limit=STALL_LIMIT)

    def _holds(self, ticket: Ticket) -> bool:
        item = self.model.items.get(ticket.id)
        return item is not None and item.status is Status.RUNNING and item.attempt == ticket.attempt


def _tickets(items: tuple[WorkItem, ...]) -> list[Ticket]:
    return [Ticket(item.id, item.attempt) for item in items]
