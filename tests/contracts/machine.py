"""A store under random commands keeps the very table that `advance` alone would make of them.

Time passes in steps of ten minutes, and all spans are odd multiples of five: however slow the store is, no
comparison is ever close, and instants can be compared to the nearest five minutes. Tickets stay in their
bundle for good: the stale ones are the zombies. Composite rules do what single rules hardly ever line up to.
"""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
)

from application.ports.claims import Ticket
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
from domain.scope import AllScopes, Scope, UserScope
from domain.work_item import NewWorkItem, Running, Status, WorkItem
from tests.support.builders import (
    ADA,
    BOB,
    CLEANUP,
    CRAWL,
    a_claim,
    a_failure,
    a_heartbeat,
    a_new_item,
    a_release,
    a_retry,
    a_stop,
    a_success,
    an_id,
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
GONE: Final = 2
"""Instead of an owner: the config is one that nobody has."""

ENDS: Final[dict[str, Callable[[Attempt], RunEnd]]] = {
    "success": lambda attempt: a_success(attempt, progress=Progress(9, 9)),
    "failure": a_failure,
    "retry": lambda attempt: a_retry(attempt, wait=RETRY_WAIT),
    "stop": a_stop,
    "release": a_release,
}

keys = st.sampled_from([None, "a", "b"])
owners = st.sampled_from([None, None, 0, 1])
holders = st.sampled_from([ADA, BOB])
ends = st.sampled_from(sorted(ENDS))
progresses = st.sampled_from([None, Progress(1, None, "1 of some"), Progress(5, 9, "5 of 9")])

T = TypeVar("T")


class WorkStoreMachine(RuleBasedStateMachine):
    """Feeds the same commands to the store and to the model, and compares answers and tables."""

    items = Bundle("items")
    tickets = Bundle("tickets")

    def __init__(self, runner: asyncio.Runner, house: House) -> None:
        super().__init__()
        self._runner = runner
        self.house = house
        self.store = house.store
        self.model = QueueModel()
        self.before: dict[WorkItemId, WorkItem] = {}
        self.last_at = START

    @initialize()
    def move_in(self) -> None:
        async def cleared() -> list[UserId]:
            await self.house.pokes.clear()
            return [await self.house.a_user(), await self.house.a_user()]

        self.users = self._runner.run(cleared())
        self.configs = [*(self._new_config(user) for user in self.users), StorageConfigId(an_id())]

    @rule(target=items, key=keys, owner=st.sampled_from([None, None, 0, 1, GONE]))
    def enqueue(self, key: str | None, owner: int | None) -> MultipleResults[WorkItemId]:
        return self._enqueue(self._request(key, owner))

    @rule(target=items, key=st.sampled_from(["a", "b"]), owner=owners)
    def enqueue_if_due(self, key: str, owner: int | None) -> MultipleResults[WorkItemId]:
        new = self._request(key, owner)
        answer = self._do(self.store.insert_if_due(new, interval=INTERVAL))
        assert answer == self.model.insert_if_due(new, INTERVAL)
        return multiple(*[new.id] if isinstance(answer, Created) else [])

    @rule(target=tickets, by=holders, whose=owners, limit=st.integers(1, 2))
    def claim(self, by: WorkerName, whose: int | None, limit: int) -> MultipleResults[Ticket]:
        scope = AllScopes() if whose is None else UserScope(self.users[whose])
        tickets = self._claim(by=by, scope=scope, limit=limit)
        assert set(self._runner.run(self.store.held_by(by))) == self.model.held_by(by)
        return tickets

    @rule(ticket=tickets, progress=progresses)
    def beat(self, ticket: Ticket, progress: Progress | None) -> None:
        beat = a_heartbeat(ticket.attempt, progress=progress, lease_for=LEASE)
        answer = self._do(self.store.heartbeat(ticket.id, beat))
        match self.model.apply(ticket.id, beat):
            case Moved(item=WorkItem(state=Running(cancel_requested_at=None))):
                assert answer == LeaseExtended()
            case Moved():
                assert answer == StopRequested()
            case _:
                assert answer == Fenced()

    @rule(ticket=tickets, end=ends)
    def finish(self, ticket: Ticket, end: str) -> None:
        self._finish(ticket, end)

    @rule(target=tickets, ticket=tickets, end=st.sampled_from(["success", "failure", "stop"]), by=holders)
    def finish_and_claim(self, ticket: Ticket, end: str, by: WorkerName) -> MultipleResults[Ticket]:
        told, request = ENDS[end](ticket.attempt), a_claim(by=by, lease_for=LEASE)
        answer, claims = self._do(self.store.finish_and_claim(ticket.id, told, request))
        assert answer == self.model.finish(ticket, told)
        return self._as_the_model(claims, self.model.claim(request))

    @rule(item=items)
    def cancel(self, item: WorkItemId) -> None:
        self._cancel(item)

    @rule(steps=st.sampled_from([1, 2, 3, 5, 10]))
    def age(self, steps: int) -> None:
        self._age(steps * STEP)

    @rule()
    def recover(self) -> None:
        self._recover()

    @rule()
    def purge(self) -> None:
        gone = self._do(self.store.purge(older_than=RETENTION, limit=1_000))
        assert gone == self.model.purge(RETENTION)

    @rule(owner=st.integers(0, 1))
    def replace_a_config(self, owner: int) -> None:
        assert self._do(self.house.storage_configs.remove(self.configs[owner]))
        self.model.remove_config(self.configs[owner])
        self.configs[owner] = self._new_config(self.users[owner])

    @rule(target=tickets, by=holders)
    def stall_and_claim_again(self, by: WorkerName) -> MultipleResults[Ticket]:
        self._age(2 * STEP)
        self._recover()
        return self._claim(by=by)

    @rule(target=tickets, ticket=tickets, end=ends, by=holders)
    def zombie(self, ticket: Ticket, end: str, by: WorkerName) -> MultipleResults[Ticket]:
        again = self.stall_and_claim_again(by)
        self._finish(ticket, end)
        return again

    @rule(target=items, ticket=tickets, way=st.sampled_from(["stall", "release", "retry"]))
    def meet_twin(self, ticket: Ticket, way: str) -> MultipleResults[WorkItemId]:
        item = self.model.items.get(ticket.id)
        twin = self._enqueue(self._request(None if item is None else item.dedup_key, None))
        if way == "stall":
            self._age(2 * STEP)
            self._recover()
        else:
            self._finish(ticket, way)
        return twin

    @rule(target=tickets, ticket=tickets, by=holders)
    def retry_and_run_again(self, ticket: Ticket, by: WorkerName) -> MultipleResults[Ticket]:
        self._finish(ticket, "retry")
        self._age(3 * STEP)
        return self._claim(by=by)

    @rule(ticket=tickets, end=ends)
    def cancel_then_end(self, ticket: Ticket, end: str) -> None:
        self._cancel(ticket.id)
        self._finish(ticket, end)

    @invariant()
    def the_tables_are_the_same(self) -> None:
        changed = [item for item, row in self.model.items.items() if row != self.before.get(item)]
        items, attempts, now = self._runner.run(table_and_histories(self.store, changed))
        expected = {item: self.model.attempts.get(item, ()) for item in changed}
        assert coarse(items, now) == coarse(self.model.items, self.model.now)
        assert coarse(attempts, now) == coarse(expected, self.model.now)
        assert broken_laws(self.before, self.model.items) == []
        self.before = dict(self.model.items)

    def _do(self, command: Coroutine[Any, Any, T]) -> T:
        """Run one command, a little later than the one before it by the store's own clock."""

        async def done() -> T:
            if await self._now() == self.last_at:
                await self.house.age(TICK)
            answer = await command
            self.last_at = await self._now()
            return answer

        self.model.now += TICK
        return self._runner.run(done())

    async def _now(self) -> datetime:
        return (await self.store.histories(frozenset())).as_of

    def _age(self, duration: timedelta) -> None:
        self.model.now += duration
        self._runner.run(self.house.age(duration))

    def _request(self, key: str | None, owner: int | None) -> NewWorkItem:
        if owner is None:
            return a_new_item(kind=CLEANUP, dedup_key=key)
        return a_new_item(kind=CRAWL, dedup_key=key, storage_config_id=self.configs[owner])

    def _new_config(self, user: UserId) -> StorageConfigId:
        config = self._do(self.house.a_config(of=user))
        self.model.owners[config] = user
        return config

    def _enqueue(self, new: NewWorkItem) -> MultipleResults[WorkItemId]:
        answer = self._do(self.store.insert(new))
        assert answer == self.model.insert(new)
        return multiple(*[new.id] if isinstance(answer, Created) else [])

    def _claim(
        self, *, by: WorkerName, scope: Scope | None = None, limit: int = 1
    ) -> MultipleResults[Ticket]:
        request = a_claim(by=by, scope=scope, lease_for=LEASE, limit=limit)
        return self._as_the_model(self._do(self.store.claim(request)), self.model.claim(request))

    def _as_the_model(
        self, claims: tuple[WorkItem, ...], expected: tuple[WorkItem, ...]
    ) -> MultipleResults[Ticket]:
        tickets = [Ticket(item.id, item.attempt) for item in claims]
        assert tickets == [Ticket(item.id, item.attempt) for item in expected]
        return multiple(*tickets)

    def _finish(self, ticket: Ticket, end: str) -> None:
        told = ENDS[end](ticket.attempt)
        assert self._do(self.store.finish(ticket.id, told)) == self.model.finish(ticket, told)

    def _recover(self) -> None:
        expired = [sighting.id for sighting in self._do(self.store.expired(limit=1_000))]
        assert set(expired) == self.model.expired()
        for item in expired:
            answer = self._do(self._recovered(item))
            assert isinstance(answer, Recovered)
            assert answer.item.status is self.model.recover(item, STALL_LIMIT).status

    async def _recovered(self, item: WorkItemId) -> RecoveryAnswer:
        # Seen again: in some stores time passes by moving all instants, that of the sighting among them.
        return await self.store.recover(await sighted(self.house, item), stall_limit=STALL_LIMIT)

    def _cancel(self, item: WorkItemId) -> None:
        before = self.model.items.get(item)
        answer = self._do(self.store.cancel(item))
        if before is None:
            assert answer == UnknownItem()
            return
        expected = {Status.QUEUED: CancelledNow, Status.RUNNING: CancelRequested}
        assert isinstance(answer, expected.get(before.status, AlreadyFinished))
        self.model.cancel(item)
