"""How long a poll of the change feed, a page of a list and the counts take at the database, with few items and many.

    python benchmarks/feed.py [--few 10000] [--many 1000000]

Times are of the prepared statement on the driver's own connection, under the store's settings, its way there and
back included; "nothing" shows how much that is. Not a timed test: it prints a table, with ratios.
"""

import argparse
import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from statistics import median, quantiles
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import sqlalchemy as sa
from psycopg import sql
from server import a_migrated_database

from adapters.sql.engine import Database
from adapters.sql.ledger import COUNTS, OLDEST_WAITING
from adapters.sql.postgres import driver_of
from adapters.sql.postgres_feed import TOP, parameters_of
from adapters.sql.postgres_feed_statements import CHANGES, page, page_shape_of
from adapters.sql.postgres_lists import parameters_of as parameters_of_page
from adapters.sql.snapshots import Snapshot
from domain.feed import Epoch
from domain.ids import KindName, StorageConfigId, UserId, WorkItemId
from domain.page import EVERYTHING, Filter, PageCursor, Schedule
from domain.work_item import Status

TIMES = 200
ME, RARELY, CONFIG, SMALL_CONFIG = (UUID(int=number) for number in range(1, 5))

ACCOUNTS: LiteralString = """
    INSERT INTO users (id, name, name_key, email, email_key, password_hash, is_admin, is_disabled, created_at)
    SELECT id, id::text, id::text, id::text || '@', id::text || '@', '-', false, false, now()
    FROM unnest(%(users)s::uuid[]) AS id
"""
CONFIGS: LiteralString = """
    INSERT INTO storage_configs (id, user_id, root_path, is_active, created_at)
    SELECT id, %(user)s, '/' || id, true, now()
    FROM unnest(%(configs)s::uuid[] || ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 198))) AS id
"""
# One in a thousand is of a rare kind, requester, config or status; many wait.
ITEMS: LiteralString = """
    WITH config AS (SELECT id, row_number() OVER (ORDER BY id = %(small)s, id = %(large)s DESC) AS number FROM storage_configs)
    INSERT INTO work_items (id, kind, payload, storage_config_id, requested_by, dedup_key, requested_at, updated_at,
        finished_at, lease_until, status, attempt, stalls, retries, progress_done, progress_note, partial, revision)
    SELECT gen_random_uuid(),
        CASE WHEN n %% 1000 = 0 THEN 'token-cleanup' WHEN n %% 1000 = 1 THEN 'work-item-retention' ELSE 'crawl' END,
        '{}', CASE WHEN n %% 1000 IN (0, 1) THEN NULL WHEN n %% 2 = 0 THEN %(large)s ELSE config.id END,
        CASE WHEN n %% 1000 = 2 THEN %(rarely)s WHEN n %% 3 = 0 THEN %(me)s END, 'key:' || gen_random_uuid(), now(), now(),
        CASE WHEN status IN ('queued', 'running') THEN NULL ELSE now() END,
        CASE status WHEN 'running' THEN now() END, status, 0, 0, 0, 0, '', false, 1
    FROM (
        SELECT n, CASE WHEN n %% 1000 = 3 THEN 'failed' WHEN n %% 1000 = 4 THEN 'cancelled' WHEN n %% 2000 = 5 THEN 'running'
            WHEN n %% 10 = 6 THEN 'queued' ELSE 'succeeded' END AS status
        FROM generate_series(1, %(items)s) AS n
    ) AS numbered JOIN config ON config.number = CASE WHEN n %% 997 = 0 THEN 200 ELSE 1 + n %% 199 END
"""

INDEXES: LiteralString = """
    SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'work_items' AND indexname NOT LIKE 'pk%'
"""

FILTERS: dict[str, Filter] = {
    "everything": EVERYTHING,
    "status": Filter(statuses=frozenset({Status.SUCCEEDED})),
    "rare statuses": Filter(statuses=frozenset({Status.FAILED, Status.RUNNING})),
    "kind": Filter(kinds=frozenset({KindName("crawl")})),
    "rare kinds": Filter(kinds=frozenset({KindName("token-cleanup"), KindName("work-item-retention")})),
    "no such kind": Filter(kinds=frozenset({KindName("from-the-future")})),
    "config": Filter(storage_config_id=StorageConfigId(CONFIG)),
    "small config": Filter(storage_config_id=StorageConfigId(SMALL_CONFIG)),
    "requester": Filter(requested_by=UserId(ME)),
    "rare requester": Filter(requested_by=UserId(RARELY)),
    "the schedule": Filter(requested_by=Schedule()),
    "config, requester, failed": Filter(
        frozenset({Status.FAILED}), frozenset(), StorageConfigId(CONFIG), UserId(RARELY)
    ),
    "kind, config, the schedule": Filter(
        frozenset(), frozenset({KindName("crawl")}), StorageConfigId(CONFIG), Schedule()
    ),
}


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds. The fastest says what the work is, the others also what the machine was busy with."""

    fastest: float
    middle: float
    worst: float

    def __str__(self) -> str:
        return f"{self.fastest:8.2f} /{self.middle:7.2f} /{self.worst:7.2f}"


Table = dict[str, Times]


async def main() -> None:
    """Print each figure for few items and for many, and the ratio of the medians."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--few", type=int, default=10_000)
    parser.add_argument("--many", type=int, default=1_000_000)
    options = parser.parse_args()
    few, many = [await measured(count) for count in (options.few, options.many)]
    print(
        f"{'milliseconds: fastest / median / p99':46} {options.few:>24,} {options.many:>26,}   ratio of the fastest"
    )
    for name, small in few.items():
        large = many[name]
        print(f"{name:46} {small} {large} {large.fastest / small.fastest:7.2f}")


async def measured(count: int) -> Table:
    """Every figure with so many items."""
    with a_migrated_database() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(ACCOUNTS, {"users": [ME, RARELY]})
        connection.execute(CONFIGS, {"user": ME, "configs": [CONFIG, SMALL_CONFIG]})
        # In many transactions, as in life: of one alone, all would have one place.
        parts = max(1, count // 1_000)
        connection.execute("SET synchronous_commit = off")
        indexes = connection.execute(INDEXES).fetchall()
        for name, _ in indexes:
            connection.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name)))
        for _ in range(parts):
            connection.execute(
                ITEMS,
                {"items": 1_000, "large": CONFIG, "small": SMALL_CONFIG, "me": ME, "rarely": RARELY},
            )
        for _, definition in indexes:
            connection.execute(definition)
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")
        database = Database(url, deadline=timedelta(hours=1))
        try:
            return await database.read(lambda opened: everything_of(opened, url))
        finally:
            await database.close()


def everything_of(opened: sa.Connection, url: str) -> Table:
    """The polls, the pages, the counts."""
    with psycopg.connect(url, autocommit=True) as writer:
        table = {f"poll: {name}": poll(opened, writer, changed) for name, changed in POLLS.items()}
    table["nothing"] = times(lambda: took(opened, sa.text("SELECT 1"), {}), TIMES)
    table |= {f"page: {name}": pages(opened, which, None) for name, which in FILTERS.items()}
    middle = "SELECT (max(change_xid::text::bigint) + min(change_xid::text::bigint)) / 2 FROM work_items"
    place = opened.exec_driver_sql(middle).scalar_one()
    after = PageCursor(Epoch("00000000"), place, WorkItemId(UUID(int=0)))
    table |= {f"page in the middle: {name}": pages(opened, which, after) for name, which in FILTERS.items()}
    table["counts"] = times(lambda: took(opened, COUNTS, {}), 10)
    table["oldest waiting"] = times(lambda: took(opened, OLDEST_WAITING, {}), 10)
    return table


POLLS = {"idle": 0, "20 changes": 20}


def poll(opened: sa.Connection, writer: "psycopg.Connection[Any]", changed: int) -> Times:
    """A look after so many changes."""

    def once() -> float:
        known = Snapshot.of(opened.exec_driver_sql("SELECT pg_current_snapshot()::text").scalar_one())
        for _ in range(changed):
            writer.execute(
                "UPDATE work_items SET revision = revision + 1 WHERE id = (SELECT id FROM work_items WHERE id > gen_random_uuid() ORDER BY id LIMIT 1)"
            )
        return took(opened, CHANGES, parameters_of(known.unseen(), None, TOP, 200))

    return times(once, TIMES)


def pages(opened: sa.Connection, which: Filter, after: PageCursor | None) -> Times:
    """A page of 50."""
    statement = page(page_shape_of(which, goes_on=after is not None))
    return times(lambda: took(opened, statement, parameters_of_page(which, 51, after)), TIMES)


def times(once: Callable[[], float], count: int) -> Times:
    """The first some warm up."""
    taken = [once() for _ in range(count + 5)][5:]
    return Times(min(taken), median(taken), quantiles(taken, n=100)[98])


def took(opened: sa.Connection, statement: sa.Executable, parameters: dict[str, Any]) -> float:
    """Milliseconds from the question to the last row."""
    driver, text = driver_of(opened), str(statement.compile(dialect=opened.dialect))
    started = time.perf_counter()
    driver.execute(text, parameters, prepare=True).fetchall()  # type: ignore[arg-type]
    return (time.perf_counter() - started) * 1_000


if __name__ == "__main__":
    asyncio.run(main())
