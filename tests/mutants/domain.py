"""The transition table and the memory store, broken one rule at a time."""

from typing import Final

from tests.mutants.mutant import Mutant, Suite

MEMORY: Final = Suite(
    "memory",
    ("tests/unit/adapters/memory/test_work_store.py", "tests/unit/adapters/memory/test_machine.py"),
)

LIFECYCLE: Final = "domain/lifecycle.py"
MOVES: Final = "domain/moves.py"
STORE: Final = "adapters/memory/work_store.py"


def in_memory(name: str, path: str, original: str, broken: str, noticed_by: str) -> Mutant:
    """A mutant that the tests of the memory store must notice."""
    return Mutant(name=name, suite=MEMORY, path=path, original=original, broken=broken, noticed_by=noticed_by)


MUTANTS: Final = (
    in_memory(
        "finish without the attempt",
        LIFECYCLE,
        "move is None or event.attempt != item.attempt",
        "move is None or (isinstance(event, Heartbeat) and event.attempt != item.attempt)",
        "lost_attempt_changes_nothing",
    ),
    in_memory(
        "heartbeat without the attempt",
        LIFECYCLE,
        "move is None or event.attempt != item.attempt",
        "move is None or (not isinstance(event, Heartbeat) and event.attempt != item.attempt)",
        "lost_attempt_changes_nothing",
    ),
    in_memory(
        "due check without its lock",
        STORE,
        """\
        async with self._database.step():
            if new.id in self._items:
                return Created(new.id)
            history = self.all_histories().get(new.dedup_key, NEVER_SEEN)
            if not is_due(interval, history, self._database.now()):
                return NotDue()
""",
        """\
        if new.id in self._items:
            return Created(new.id)
        history = self.all_histories().get(new.dedup_key, NEVER_SEEN)
        if not is_due(interval, history, self._database.now()):
            return NotDue()
        await __import__("asyncio").sleep(0)
        async with self._database.step():
""",
        "so_they_do_while_the_item",
    ),
    in_memory(
        "recovery that ignores the twin",
        MOVES,
        "if moment.twin is None:",
        "if moment.twin is None or how is AttemptEnd.STALLED:",
        "returning_one_is_superseded",
    ),
    in_memory(
        "release that counts a stall",
        MOVES,
        "_back(item, running, AttemptEnd.RELEASED, moment, Queued())",
        "_back(item, running, AttemptEnd.RELEASED, moment, Queued(), stalls=item.stalls + 1)",
        "takes_over_its_stalls",
    ),
    in_memory(
        "attempt not raised",
        MOVES,
        "Attempt(item.attempt + 1)",
        "Attempt(max(item.attempt, 1))",
        "every_attempt_leaves_its_history",
    ),
    in_memory(
        "retry that counts a stall",
        MOVES,
        "failure=event.failure, retries=item.retries + 1",
        "failure=event.failure, retries=item.retries + 1, stalls=item.stalls + 1",
        "takes_over_its_stalls",
    ),
    in_memory(
        "release that forgets the cancel request",
        MOVES,
        """\
        return _cancelled(item, running, moment, run=_last_run(running), left=None)
    return _back(item, running, AttemptEnd.RELEASED""",
        """\
        pass
    return _back(item, running, AttemptEnd.RELEASED""",
        "a_request_outlives_every_end",
    ),
    in_memory(
        "recovery before expiry",
        MOVES,
        "if not running.lease.expired(moment.now):",
        "if False:",
        "still_runs_is_not_recovered",
    ),
    in_memory(
        "twin that inherits nothing",
        MOVES,
        "return replace(moved, inheritance=inheritance)",
        "return moved",
        "takes_over_its_place",
    ),
    in_memory(
        "poison item that dodges its limit",
        MOVES,
        "stalls=max(item.stalls, event.stalls)",
        "stalls=item.stalls",
        "cannot_dodge",
    ),
    in_memory(
        "start before the wait is over",
        MOVES,
        "if queued.run_after is not None and queued.run_after > moment.now:",
        "if False:",
        "before_its_wait_is_over",
    ),
    in_memory(
        "applied finish reported as fenced",
        "domain/attempt.py",
        "self.how in _ENDS[type(end)] and told == self.failure",
        "False",
        "repeated_after_a_lost_reply",
    ),
    in_memory(
        "late finish reported as recorded",
        "domain/attempt.py",
        "self.how in _ENDS[type(end)] and told == self.failure",
        "True",
        "comes_after_the_recovery",
    ),
    in_memory(
        "recovery of whatever runs now",
        STORE,
        "if sighting not in (",
        "if sighting.id not in self._items and sighting not in (",
        "so_it_does_when_the_new_lease",
    ),
    in_memory(
        "purge of the last one of a key",
        STORE,
        "(key is None or newest[key] != id_)",
        "True",
        "the_last_one_of_a_key_stays",
    ),
    in_memory(
        "scope that takes no account of the user",
        STORE,
        "return config.user_id == user and config.is_active",
        "return config.is_active",
        "served_their_own_and_the_unscoped",
    ),
)
