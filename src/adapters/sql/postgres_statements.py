"""The hot verbs on PostgreSQL, one guarded statement each: what `domain.moves` says, said in SQL."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from adapters.sql.rows import NOBODY
from domain.events import Claim, Event, Fail, Heartbeat, Stop, Succeed
from domain.lifecycle import sources
from domain.scope import AllScopes, Scope, UserScope
from domain.work_item import Status

HotEnd = Succeed | Fail | Stop
KindOfEnd = type[Succeed] | type[Fail] | type[Stop]
"""The ends that never bring an item back to the queue, so that no twin has to be looked for."""

FEWEST_HEADS: Final = 16
"""How many of the oldest a claimer looks at: enough that others who take some of them leave one (R5)."""

DUE_HEADS: Final = 64
"""Of those that are ready since an instant, only so many, the longest ready, are looked at."""

# One reading of the clock for all instants of a row, taken while the statement runs (R8).
CLOCK: Final = "(SELECT clock_timestamp() AS now) AS clock"
CHANGED: Final = "updated_at = clock.now, revision = revision + 1"
PROGRESS: Final = ", progress_done = %(done)s, progress_total = %(total)s, progress_note = %(note)s"

HOW_IT_ENDS: Final[Mapping[KindOfEnd, str]] = {
    Succeed: "status = 'succeeded', result = %(result)s",
    # Whoever was asked to stop ends cancelled, with the error kept.
    Fail: """
        status = CASE WHEN cancel_requested_at IS NULL THEN 'failed' ELSE 'cancelled' END,
        error = %(error)s, error_code = %(error_code)s
    """,
    # A request that the row has not seen yet is dated now.
    Stop: """
        status = 'cancelled', result = %(result)s, partial = true,
        cancel_requested_at = coalesce(cancel_requested_at, clock.now)
    """,
}


INSERT: Final = f"""
    INSERT INTO work_items (id, kind, payload, storage_config_id, dedup_key, requested_by, requested_at, updated_at,
        status, attempt, stalls, retries, progress_done, progress_note, partial, revision)
    SELECT %(id)s, %(kind)s::text, %(payload)s::json, %(storage_config_id)s::uuid, %(dedup_key)s::text,
        %(requested_by)s::uuid, clock.now, clock.now, 'queued', 0, 0, 0, 0, '', false, 1 FROM {CLOCK}
    ON CONFLICT DO NOTHING RETURNING 1
""".encode()  # noqa: S608 -- made of this file's own words
"""One row if the id and the key were free."""


def _guard(event: type[Event]) -> str:
    """The statuses that the event applies to, said as those that it does not apply to.

    A search by id must be planned on the primary key. Beside `status = 'running'` a partial index would do
    as well, and under stale statistics that one looks cheaper (R3).
    """
    others = ", ".join(f"'{status}'" for status in Status if status not in sources(event))
    return f"status NOT IN ({others})"


@cache
def heartbeat(*, tells_progress: bool) -> bytes:
    """One row if the attempt holds the lease: whether it was asked to stop."""
    return f"""
        UPDATE work_items SET lease_until = clock.now + %(lease_for)s, {CHANGED}
            {PROGRESS if tells_progress else ""}
        FROM {CLOCK} WHERE id = %(id)s AND attempt = %(attempt)s AND {_guard(Heartbeat)}
        RETURNING cancel_requested_at IS NOT NULL
    """.encode()  # noqa: S608


@cache
def finish(end: KindOfEnd, *, tells_progress: bool) -> bytes:
    """One row if the attempt held the lease: now it has ended, and has its row among the attempts."""
    return f"WITH {_ended(end, tells_progress=tells_progress)} SELECT 1 FROM ended".encode()  # noqa: S608


@dataclass(frozen=True, slots=True)
class ClaimShape:
    """What of a claim is in its statement's text, so that the planner knows it."""

    of_a_user: bool
    limit: int
    heads: int = FEWEST_HEADS


def shape_of(scope: Scope, *, limit: int) -> ClaimShape:
    """The shape of a claim of at most `limit` items."""
    heads = max(FEWEST_HEADS, 2 * limit)
    match scope:
        case AllScopes():
            return ClaimShape(of_a_user=False, limit=limit, heads=heads)
        case UserScope():
            return ClaimShape(of_a_user=True, limit=limit, heads=heads)


@cache
def claim(shape: ClaimShape) -> bytes:
    """A row for each claimed item, or one without an item: how many heads there were, then the item."""
    return f"""
        WITH {_claimed(shape)}
        SELECT (SELECT count(*) FROM heads), claimed.* FROM (VALUES (1)) AS one LEFT JOIN claimed ON true
    """.encode()  # noqa: S608


@cache
def finish_and_claim(end: KindOfEnd, shape: ClaimShape, *, tells_progress: bool) -> bytes:
    """The rows of `claim`, after a column that counts the rows of `finish`."""
    return f"""
        WITH {_ended(end, tells_progress=tells_progress)}, {_claimed(shape)}
        SELECT (SELECT count(*) FROM ended), (SELECT count(*) FROM heads), claimed.*
        FROM (VALUES (1)) AS one LEFT JOIN claimed ON true
    """.encode()  # noqa: S608


def _ended(end: KindOfEnd, *, tells_progress: bool) -> str:
    return f"""
        ended AS (
            UPDATE work_items
            SET {HOW_IT_ENDS[end]}, finished_at = clock.now, lease_until = NULL, {CHANGED}
                {PROGRESS if tells_progress else ""}
            FROM {CLOCK} WHERE id = %(id)s AND attempt = %(attempt)s AND {_guard(end)}
            RETURNING id, attempt, coalesce(claimed_by, '{NOBODY}'), coalesce(started_at, clock.now),
                clock.now, status, error, error_code
        ), kept AS (
            INSERT INTO work_item_attempts
                (work_item_id, attempt, claimed_by, started_at, ended_at, ended, error, error_code)
            SELECT * FROM ended
        )
    """  # noqa: S608


def _claimed(shape: ClaimShape) -> str:
    return f"""
        heads AS MATERIALIZED ({_heads(shape)}),
        claimed AS (
            UPDATE work_items
            SET status = 'running', attempt = attempt + 1, run_after = NULL, error = NULL, error_code = NULL,
                claimed_by = %(holder)s, started_at = clock.now, lease_until = clock.now + %(lease_for)s, {CHANGED}
            FROM {CLOCK} WHERE id = ANY (ARRAY (
                SELECT candidate.id FROM work_items AS candidate
                WHERE candidate.id = ANY (ARRAY (SELECT heads.id FROM heads))
                    AND candidate.{_guard(Claim)}
                    AND (candidate.run_after IS NULL OR candidate.run_after <= statement_timestamp())
                ORDER BY candidate.requested_at, candidate.id LIMIT {shape.limit}
                FOR NO KEY UPDATE SKIP LOCKED
            ))
            RETURNING id, kind, payload, storage_config_id, dedup_key, requested_by, requested_at, attempt,
                stalls, retries, started_at, lease_until, revision
        )
    """  # noqa: S608


def _heads(shape: ClaimShape) -> str:
    """The oldest that are ready, of all kinds and scopes served: some of each by one search of an index (R1, R6)."""
    configs = "CROSS JOIN storage_configs AS config"
    served = "config.user_id = %(user)s AND config.is_active" if shape.of_a_user else "true"
    heads = f"""
        {_head("run_after IS NULL", "requested_at", shape.heads)}
        UNION ALL
        {_head("run_after <= statement_timestamp()", "run_after", DUE_HEADS)}
    """
    return f"""
        SELECT id FROM (
            SELECT head.id, head.requested_at FROM unnest(%(kinds)s::text[]) AS served (kind) {configs}
            CROSS JOIN LATERAL ({heads.format(config="= config.id")}) AS head WHERE {served}
            UNION ALL
            SELECT head.id, head.requested_at FROM unnest(%(kinds)s::text[]) AS served (kind)
            CROSS JOIN LATERAL ({heads.format(config="IS NULL")}) AS head
        ) AS ready ORDER BY requested_at, id LIMIT {shape.heads}
    """  # noqa: S608


def _head(ready: str, order: str, limit: int) -> str:
    # Ordered by every column of the index: without the kind and the config it would sort all that wait (R2).
    return f"""(
        SELECT id, requested_at FROM work_items
        WHERE status = 'queued' AND {ready} AND kind = served.kind AND storage_config_id {{config}}
        ORDER BY kind, storage_config_id, {order}, id LIMIT {limit}
    )"""  # noqa: S608
