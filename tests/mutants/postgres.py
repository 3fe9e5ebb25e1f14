"""The statements of PostgreSQL, broken one rule at a time."""

from typing import Final

from tests.mutants.mutant import Mutant, Suite

POSTGRES: Final = Suite(
    "postgres",
    (
        "tests/integration/postgres/test_due_lock.py",
        "tests/integration/postgres/test_work_store.py",
        "tests/integration/postgres/test_machine.py",
    ),
)

STATEMENTS: Final = "adapters/sql/postgres_statements.py"
STORE: Final = "adapters/sql/work_store.py"
INBOX: Final = "adapters/sql/inbox.py"
APPLY: Final = "adapters/sql/apply.py"


def on_postgres(name: str, path: str, original: str, broken: str, noticed_by: str) -> Mutant:
    """A mutant that the tests of the store on PostgreSQL must notice."""
    return Mutant(
        name=name, suite=POSTGRES, path=path, original=original, broken=broken, noticed_by=noticed_by
    )


MUTANTS: Final = (
    on_postgres(
        "finish without the attempt",
        STATEMENTS,
        "id = %(id)s AND attempt = %(attempt)s AND {_guard(end)}",
        "id = %(id)s AND {_guard(end)}",
        "lost_attempt_changes_nothing",
    ),
    on_postgres(
        "heartbeat without the attempt",
        STATEMENTS,
        "id = %(id)s AND attempt = %(attempt)s AND {_guard(Heartbeat)}",
        "id = %(id)s AND {_guard(Heartbeat)}",
        "lost_attempt_changes_nothing",
    ),
    on_postgres(
        "due check without its lock",
        INBOX,
        "self._dialect.lock_key(connection, key)",
        "pass",
        "came_and_went",
    ),
    on_postgres(
        "recovery that ignores the twin",
        APPLY,
        "GOING_BACK: Final = (Retry, Release, ExpireLease)",
        "GOING_BACK: Final = (Retry, Release)",
        "returning_one_is_superseded",
    ),
    on_postgres(
        "release that counts a stall",
        "domain/moves.py",
        "_back(item, running, AttemptEnd.RELEASED, moment, Queued())",
        "_back(item, running, AttemptEnd.RELEASED, moment, Queued(), stalls=item.stalls + 1)",
        "takes_over_its_stalls",
    ),
    on_postgres(
        "attempt not raised",
        STATEMENTS,
        "attempt = attempt + 1",
        "attempt = greatest(attempt, 1)",
        "every_attempt_leaves_its_history",
    ),
    on_postgres(
        "claim that locks nothing",
        STATEMENTS,
        "                FOR NO KEY UPDATE SKIP LOCKED\n",
        "",
        "racing_claimers",
    ),
    on_postgres(
        "waiting item that is not held for the caller",
        "adapters/sql/statements.py",
        "WAITING_AND_HELD: Final = WAITING.with_for_update(read=True)",
        "WAITING_AND_HELD: Final = WAITING",
        "waiting_item_cannot_start",
    ),
    on_postgres(
        "failure that forgets the cancel request",
        STATEMENTS,
        "CASE WHEN cancel_requested_at IS NULL THEN 'failed' ELSE 'cancelled' END",
        "'failed'",
        "a_request_outlives_every_end",
    ),
    on_postgres(
        "twin that inherits nothing",
        APPLY,
        "if outcome.inheritance is not None and twin is not None:",
        "if False:",
        "takes_over_its_place",
    ),
    on_postgres(
        "recovery of whatever runs now",
        STORE,
        "!= sighting:",
        "!= sighting and row.lease_until is None:",
        "so_it_does_when_the_new_lease",
    ),
    on_postgres(
        "applied finish reported as fenced",
        STORE,
        "row is not None and attempt_of(row).is_end_of(end)",
        "row is None",
        "repeated_after_a_lost_reply",
    ),
    on_postgres(
        "scope that takes no account of the user",
        STATEMENTS,
        "config.user_id = %(user)s AND config.is_active",
        "config.is_active",
        "served_their_own_and_the_unscoped",
    ),
)
