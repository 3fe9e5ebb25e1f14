"""How long a claim takes with many finished items behind it and many items of others before it.

Each under three states of the statistics: stale (gathered while nothing was queued), fresh, and none at all.
The planner is as the store sets it, and as it is behind a pooler that bears no settings. Not a timed test:
it prints a table.
"""

import asyncio
import time
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import LiteralString
from uuid import UUID

import psycopg
from server import a_migrated_database

from adapters.sql.engine import Database
from adapters.sql.stores import work_store
from application.ports.claims import ClaimRequest
from domain.ids import KindName, UserId, WorkerName
from domain.scope import AllScopes, Scope, UserScope

CLAIMS = 60
ME, SOMEBODY = UUID(int=1), UUID(int=2)
SCOPES: dict[str, Scope] = {"a user's": UserScope(UserId(ME)), "everybody's": AllScopes()}

ACCOUNTS: LiteralString = """
    INSERT INTO users (id, name, name_key, email, email_key, password_hash, is_admin, is_disabled, created_at)
    SELECT id, id::text, id::text, id::text || '@', id::text || '@', '-', false, false, now()
    FROM unnest(%(users)s::uuid[]) AS id;
"""
CONFIGS: LiteralString = """
    INSERT INTO storage_configs (id, user_id, root_path, is_active, created_at)
    SELECT gen_random_uuid(), %(user)s, '/' || gen_random_uuid(), true, now()
    FROM generate_series(1, %(count)s)
"""
ITEMS: LiteralString = """
    WITH config AS (
        SELECT id, row_number() OVER () AS number, count(*) OVER () AS count
        FROM storage_configs WHERE user_id = %(user)s
    )
    INSERT INTO work_items (id, kind, payload, storage_config_id, dedup_key, requested_at, updated_at, finished_at,
        status, attempt, stalls, retries, progress_done, progress_note, partial, revision)
    SELECT gen_random_uuid(), 'crawl', '{"verify":false}', config.id, concat_ws(':', config.id, %(status)s::text, item), at, at,
        CASE %(status)s WHEN 'queued' THEN NULL ELSE at END, %(status)s, 0, 0, 0, 0, '', false, 1
    FROM generate_series(1, %(items)s) AS item JOIN config ON config.number = 1 + item %% config.count,
        LATERAL (SELECT now() - interval '1 day' + item * interval '1 ms' AS at) AS instant
"""
NO_STATISTICS: LiteralString = """
    SELECT pg_clear_relation_stats('public', 'work_items');
    SELECT pg_clear_attribute_stats('public', 'work_items', attname, false)
    FROM pg_attribute WHERE attrelid = 'work_items'::regclass AND attnum > 0;
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A queue: so many finished items of mine, and so many of somebody else that wait before mine."""

    finished: int
    foreign: int


CASES = [Case(0, 0), Case(100_000, 0), Case(1_000_000, 0), Case(0, 1_000_000), Case(1_000_000, 1_000_000)]


async def main() -> None:
    """Print the fastest, the median and the worst claim of each case, in milliseconds."""
    print(
        f"{'finished':>10} {'foreign':>10}  statistics  scope        fastest  median   worst   behind a pooler"
    )
    for case in CASES:
        with a_migrated_database() as url, psycopg.connect(url, autocommit=True) as connection:
            fill(connection, case)
            await measure(url, case, "stale")
            connection.execute("ANALYZE")
            await measure(url, case, "fresh")
            connection.execute(NO_STATISTICS)
            await measure(url, case, "none")


def fill(connection: "psycopg.Connection[object]", case: Case) -> None:
    """Make the queue, its statistics gathered before anything was queued."""
    connection.execute("ALTER TABLE work_items SET (autovacuum_enabled = off)")
    connection.execute(ACCOUNTS, {"users": [ME, SOMEBODY]})
    for user, count in ((ME, 3), (SOMEBODY, 50)):
        connection.execute(CONFIGS, {"user": user, "count": count})
    connection.execute(ITEMS, {"user": ME, "items": case.finished, "status": "succeeded"})
    connection.execute("ANALYZE")
    connection.execute(ITEMS, {"user": SOMEBODY, "items": case.foreign, "status": "queued"})
    connection.execute(ITEMS, {"user": ME, "items": 5_000, "status": "queued"})
    connection.execute("CHECKPOINT")


async def measure(url: str, case: Case, statistics: str) -> None:
    """Print the row of this state, for both kinds of worker."""
    for name, scope in SCOPES.items():
        settled = await times(Database(url), scope)
        pooled = await times(Database(url, behind_pooler=True), scope)
        print(
            f"{case.finished:10,} {case.foreign:10,}  {statistics:10}  {name:12} "
            f"{min(settled):7.2f} {median(settled):7.2f} {max(settled):7.2f}  "
            f"{min(pooled):7.2f} {median(pooled):7.2f} {max(pooled):7.2f}",
            flush=True,
        )


async def times(database: Database, scope: Scope) -> list[float]:
    """Milliseconds of claims, one after the other, the first and its connecting aside."""
    store = work_store(database)
    request = ClaimRequest(
        scope, frozenset({KindName("crawl")}), WorkerName("benchmark"), timedelta(minutes=1)
    )
    taken = []
    for _ in range(CLAIMS + 1):
        started = time.perf_counter()
        claimed = await store.claim(request)
        taken.append((time.perf_counter() - started) * 1_000)
        assert len(claimed) == 1
    await database.close()
    return taken[1:]


if __name__ == "__main__":
    asyncio.run(main())
