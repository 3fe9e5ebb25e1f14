"""Claim and finish of one item, over and over: what the store and the worker cost beside bare psycopg.

Bare is the same two statements, one after the other, on one synchronous connection under autocommit. The
worker is a whole one with one slot, its heartbeat, its polls and its log, and a handler that does nothing.
Each contender runs in turn, a round at a time, so that a busy machine disturbs all alike.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any, ClassVar

import psycopg
from dependency_injector import providers
from server import a_migrated_database

from adapters.sql.engine import Database
from adapters.sql.postgres import PLANNING
from adapters.sql.postgres_statements import claim, finish, shape_of
from adapters.sql.stores import work_store
from adapters.system.loops import new_loop
from adapters.telemetry.logs import set_up_logs
from application.handling import Run
from application.ports.claims import ClaimRequest
from application.ports.work_store import WorkStore
from application.registry import KindRegistry, Registration
from domain.events import Succeed
from domain.ids import JsonText, KindName, WorkerName
from domain.kinds.kind import Kind, WorkPayload, WorkResult
from domain.outcomes import Recorded
from domain.scope import AllScopes
from entrypoints.settings.loading import load
from entrypoints.wiring.stores import closed
from entrypoints.wiring.worker import WorkerParts, opened

ROUNDS = 7
ITEMS = 1_000
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
            "worker, one slot": lambda: by_a_worker(url),
        }
        times: dict[str, list[float]] = {name: [] for name in contenders}
        for turn in range(ROUNDS + 1):
            for name, contender in contenders.items():
                seconds = await timed(connection, contender)
                # The first round warms up.
                times[name] += [seconds] if turn else []
        report(times)
        await database.close()


async def timed(connection: "psycopg.Connection[Any]", contender: Contender) -> float:
    """How long it takes to work off a queue of `ITEMS`."""
    fill(connection)
    started = time.perf_counter()
    await contender()
    seconds = time.perf_counter() - started
    row = connection.execute("SELECT count(*) FROM work_items WHERE status <> 'succeeded'").fetchone()
    assert row == (0,)
    return seconds


def fill(connection: "psycopg.Connection[Any]") -> None:
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


async def bare(connection: "psycopg.Connection[Any]") -> None:
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


class NoOpKind(Kind):
    """The one kind of the benchmark."""

    NO_OP = "token-cleanup"


@dataclass(frozen=True, slots=True)
class NoOpPayload(WorkPayload):
    """Asks for nothing."""

    kind: ClassVar[Kind] = NoOpKind.NO_OP


@dataclass(frozen=True, slots=True)
class NoOpResult(WorkResult):
    """Says that."""

    deleted: int = 0


class NoOp:
    """Does nothing."""

    async def handle(self, run: Run[NoOpPayload]) -> NoOpResult:
        """Be done."""
        del run
        return NoOpResult()


async def by_a_worker(url: str) -> None:
    """Have a worker of its own do all there is."""
    parts = WorkerParts(settings=load({"DATABASE_URL": url}).settings, max_items=ITEMS)
    parts.registry.override(providers.Object(KindRegistry([Registration(NoOpPayload, NoOp())], NoOpKind)))
    worker = await opened(parts)
    await worker.run()
    await closed(parts.stores())


def report(times: dict[str, list[float]]) -> None:
    """Print the table."""
    bare_time = median(times["bare psycopg"])
    for name, seconds in times.items():
        middle = median(seconds)
        print(f"{name:32} {ITEMS / middle:8,.0f} items/s {bare_time / middle:6.2f}")


if __name__ == "__main__":
    # Not closed before the process ends: the server's package tells the log of its own end.
    nowhere = Path(os.devnull).open("w")  # noqa: SIM115
    set_up_logs(as_json=True, stream=nowhere)
    with a_migrated_database() as postgres, asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main(postgres))
