"""A store under random commands keeps the very table that `advance` alone would make of them.

Time passes in steps of ten minutes, and all spans are odd multiples of five: however slow the store is, no
comparison is ever close, and instants can be compared to the nearest five minutes. Tickets stay in their
bundle for good: the stale ones are the zombies. Composite rules do what single rules hardly ever line up to;
they act on what runs, since a ticket drawn by chance is mostly stale.
"""

import asyncio

from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from application.ports.claims import Ticket
from domain.ids import StorageConfigId, WorkerName, WorkItemId
from domain.progress import Progress
from domain.scope import AllScopes, UserScope
from domain.work_item import TERMINAL, NewWorkItem, Running
from tests.contracts.commands import ENDS, STEP, Commands
from tests.support.builders import ADA, BOB, CLEANUP, CRAWL, a_new_item, an_id
from tests.support.house import House

GONE = 2
"""Instead of an owner: the config is one that nobody has."""

keys = st.sampled_from([None, "a", "b"])
owners = st.sampled_from([None, None, 0, 1])
holders = st.sampled_from([ADA, BOB])
ends = st.sampled_from(sorted(ENDS))
final_ends = st.sampled_from(["success", "failure", "stop"])
picks = st.integers(0, 5)
progresses = st.sampled_from([None, Progress(1, None, "1 of some"), Progress(5, 9, "5 of 9")])


def something_runs(machine: "WorkStoreMachine") -> bool:
    return len(machine.running()) > 0


def something_has_expired(machine: "WorkStoreMachine") -> bool:
    return len(machine.commands.model.expired()) > 0


def something_is_scoped(machine: "WorkStoreMachine") -> bool:
    return any(item.storage_config_id for item in machine.commands.model.items.values())


def something_has_finished(machine: "WorkStoreMachine") -> bool:
    return any(item.status in TERMINAL for item in machine.commands.model.items.values())


class WorkStoreMachine(RuleBasedStateMachine):
    """Chooses the commands."""

    items = Bundle("items")
    tickets = Bundle("tickets")

    def __init__(self, runner: asyncio.Runner, house: House) -> None:
        super().__init__()
        self.commands = Commands(runner, house)

    @initialize()
    def move_in(self) -> None:
        self.users = self.commands.move_in()
        self.configs = [*map(self.commands.add_config, self.users), StorageConfigId(an_id())]

    @rule(target=items, key=keys, owner=st.sampled_from([None, None, 0, 1, GONE]))
    def enqueue(self, key: str | None, owner: int | None) -> MultipleResults[WorkItemId]:
        return multiple(*self.commands.enqueue(self._request(key, owner)))

    @rule(target=items, key=st.sampled_from(["a", "b"]), owner=owners)
    def enqueue_if_due(self, key: str, owner: int | None) -> MultipleResults[WorkItemId]:
        return multiple(*self.commands.enqueue_if_due(self._request(key, owner)))

    @rule(target=tickets, by=holders, whose=owners, limit=st.integers(1, 2))
    def claim(self, by: WorkerName, whose: int | None, limit: int) -> MultipleResults[Ticket]:
        scope = AllScopes() if whose is None else UserScope(self.users[whose])
        return multiple(*self.commands.claim(by=by, scope=scope, limit=limit))

    @rule(target=tickets, key=keys, owner=owners, by=holders)
    def enqueue_and_claim(
        self, key: str | None, owner: int | None, by: WorkerName
    ) -> MultipleResults[Ticket]:
        self.commands.enqueue(self._request(key, owner))
        return multiple(*self.commands.claim(by=by))

    @rule(ticket=tickets, progress=progresses)
    def beat(self, ticket: Ticket, progress: Progress | None) -> None:
        self.commands.beat(ticket, progress)

    @rule(ticket=tickets, end=ends)
    def finish(self, ticket: Ticket, end: str) -> None:
        self.commands.finish(ticket, end)

    @precondition(something_runs)
    @rule(pick=picks, end=ends)
    def finish_what_runs(self, pick: int, end: str) -> None:
        self.commands.finish(self._running(pick), end)

    @rule(target=tickets, ticket=tickets, end=final_ends, by=holders)
    def finish_and_claim(self, ticket: Ticket, end: str, by: WorkerName) -> MultipleResults[Ticket]:
        return multiple(*self.commands.finish_and_claim(ticket, end, by))

    @rule(item=items)
    def cancel(self, item: WorkItemId) -> None:
        self.commands.cancel(item)

    @rule(steps=st.sampled_from([1, 2, 3, 5, 10]))
    def age(self, steps: int) -> None:
        self.commands.age(steps * STEP)

    @precondition(something_has_expired)
    @rule()
    def recover(self) -> None:
        self.commands.recover()

    @precondition(something_has_finished)
    @rule()
    def purge(self) -> None:
        self.commands.purge()

    @precondition(something_is_scoped)
    @rule(owner=st.integers(0, 1))
    def replace_a_config(self, owner: int) -> None:
        self.commands.remove_config(self.configs[owner])
        self.configs[owner] = self.commands.add_config(self.users[owner])

    @precondition(something_runs)
    @rule(target=tickets, pick=picks, by=holders, progress=progresses)
    def stall_and_run_again_beside_a_zombie(
        self, pick: int, by: WorkerName, progress: Progress | None
    ) -> MultipleResults[Ticket]:
        zombie = self._running(pick)
        again = self._stall_and_claim_all(by)
        self.commands.beat(zombie, progress)
        return again

    @precondition(something_runs)
    @rule(target=tickets, pick=picks, by=holders, end=ends)
    def stall_and_run_again_and_end_late(
        self, pick: int, by: WorkerName, end: str
    ) -> MultipleResults[Ticket]:
        zombie = self._running(pick)
        again = self._stall_and_claim_all(by)
        self.commands.finish(zombie, end)
        return again

    @precondition(something_runs)
    @rule(target=items, pick=picks, way=st.sampled_from(["stall", "release", "retry"]))
    def meet_twin(self, pick: int, way: str) -> MultipleResults[WorkItemId]:
        ticket = self._running(pick)
        twin = self.commands.enqueue(self._request(self.commands.model.items[ticket.id].dedup_key, None))
        if way == "stall":
            self.commands.age(2 * STEP)
            self.commands.recover()
        else:
            self.commands.finish(ticket, way)
        return multiple(*twin)

    @precondition(something_runs)
    @rule(target=tickets, pick=picks, by=holders)
    def retry_and_run_again(self, pick: int, by: WorkerName) -> MultipleResults[Ticket]:
        self.commands.finish(self._running(pick), "retry")
        self.commands.age(3 * STEP)
        return multiple(*self.commands.claim(by=by))

    @precondition(something_runs)
    @rule(pick=picks, end=ends)
    def cancel_then_end(self, pick: int, end: str) -> None:
        ticket = self._running(pick)
        self.commands.cancel(ticket.id)
        self.commands.finish(ticket, end)

    @invariant()
    def the_tables_are_the_same(self) -> None:
        self.commands.compare()

    def running(self) -> list[Ticket]:
        """What runs, by the model."""
        items = self.commands.model.items.values()
        return [Ticket(item.id, item.attempt) for item in items if isinstance(item.state, Running)]

    def _running(self, pick: int) -> Ticket:
        tickets = self.running()
        return tickets[pick % len(tickets)]

    def _stall_and_claim_all(self, by: WorkerName) -> MultipleResults[Ticket]:
        self.commands.age(2 * STEP)
        self.commands.recover()
        return multiple(*self.commands.claim(by=by, limit=20))

    def _request(self, key: str | None, owner: int | None) -> NewWorkItem:
        if owner is None:
            return a_new_item(kind=CLEANUP, dedup_key=key)
        return a_new_item(kind=CRAWL, dedup_key=key, storage_config_id=self.configs[owner])
