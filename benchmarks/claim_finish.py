"""Claim and finish of one item, over and over: what the store costs beside bare psycopg.

Bare is the same two statements, one after the other, on one synchronous connection under autocommit. Each
contender runs in turn, a round at a time, so that a busy machine disturbs all alike.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from statistics import median

import psycopg
from server import a_migrated_database

from adapters.sql.engine import Database
from adapters.sql.postgres import PLANNING
from adapters.sql.postgres_statements import claim, finish, shape_of
from adapters.sql.stores import work_store
from application.ports.claims import ClaimRequest
from application.ports.work_store import WorkStore
from domain.events import Succeed
from domain.ids import JsonText, KindName, WorkerName
from domain.outcomes import Recorded
from domain.scope import AllScopes

ROUNDS = 7
ITEMS = 400
"""Items of one round."""

LEASE = timedelta(seconds=60)
REQUEST = ClaimRequest(
    scope=AllScopes(),
    kinds=frozenset({KindName("token-cleanup")}),
    holder=WorkerName("benchmark"),
    lease_for=LEASE,
)
PLANNED_ALIKE = " ".join(f"-c {name}={value}" for name, value in PLANNING.items())
RESULT = JsonText('{"deleted": 0}')

Contender = Callable[[], Awaitable[None]]


async def main(url: str) -> None:
    """Print items a second of each contender, and its ratio to bare."""
    with psycopg.connect(url, autocommit=True, options=PLANNED_ALIKE) as connection:
        database = Database(url)
        store = work_store(database)
        contenders: dict[str, Contender] = {
            "bare psycopg": lambda: bare(connection),
            "store: claim, finish": lambda: one_by_one(store),
            "store: finish and claim in one": lambda: in_one(store),
        }
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for turn in range(ROUNDS + 1):
            for name, contender in contenders.items():
                seconds = await timed(connection, contender)
                # The first round warms up.
                times[name] += [seconds] if turn else []
        report(times)
        await database.close()


async def timed(connection: "psycopg.Connection[object]", contender: Contender) -> float:
    """How long it takes to work off a queue of `ITEMS`."""
    fill(connection)
    started = time.perf_counter()
    await contender()
    seconds = time.perf_counter() - started
    row = connection.execute("SELECT count(*) FROM work_items WHERE status <> 'succeeded'").fetchone()
    assert row == (0,)
    return seconds


def fill(connection: "psycopg.Connection[object]") -> None:
    """Put `ITEMS` items into the queue, beside those that are finished."""
    connection.execute(
        """
        INSERT INTO work_items (id, kind, payload, requested_at, updated_at, status, attempt, stalls, retries,
            progress_done, progress_note, partial, revision)
        SELECT gen_random_uuid(), 'token-cleanup', '{}', now(), now(), 'queued', 0, 0, 0, 0, '', false, 1
        FROM generate_series(1, %s)
        """,
        [ITEMS],
    )


async def bare(connection: "psycopg.Connection[object]") -> None:
    """The statements alone."""
    claiming = claim(shape_of(AllScopes(), limit=1))
    finishing = finish(Succeed, tells_progress=False)
    for _ in range(ITEMS):
        claimed = connection.execute(
            claiming, {"kinds": list(REQUEST.kinds), "holder": REQUEST.holder, "lease_for": LEASE}
        ).fetchall()
        item, attempt = claimed[0][1], claimed[0][8]
        ended = connection.execute(finishing, {"id": item, "attempt": attempt, "result": RESULT}).fetchone()
        assert ended == (1,)


async def one_by_one(store: WorkStore) -> None:
    """Claim an item, finish it."""
    for _ in range(ITEMS):
        (item,) = await store.claim(REQUEST)
        assert await store.finish(item.id, Succeed(item.attempt, RESULT)) == Recorded()


async def in_one(store: WorkStore) -> None:
    """Finish an item and claim the next, as a worker does while there is work."""
    (item,) = await store.claim(REQUEST)
    while True:
        answer, more = await store.finish_and_claim(item.id, Succeed(item.attempt, RESULT), REQUEST)
        assert answer == Recorded()
        if not more:
            return
        (item,) = more


def report(times: dict[str, list[float]]) -> None:
    """Print the table."""
    bare_time = median(times["bare psycopg"])
    for name, seconds in times.items():
        middle = median(seconds)
        print(f"{name:32} {ITEMS / middle:8,.0f} items/s {bare_time / middle:6.2f}")


if __name__ == "__main__":
    with a_migrated_database() as postgres:
        asyncio.run(main(postgres))
    sys.exit()
