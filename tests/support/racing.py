"""Changes of every kind that race: transactions that commit late, roll back, and delete."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final
from uuid import UUID

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.rows import row_of
from adapters.sql.tables import work_items
from application.ports.errors import StoreError
from tests.support.feeds import an_item

RACERS: Final = 4


class RolledBack(Exception):  # noqa: N818 -- reads as the state it names
    """Undoes the transaction that raises it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How many changes at least, how long a transaction stays open at most, and how long a racer rests."""

    changes: int = 5_000
    longest_seconds: float = 0.1
    rest_seconds: float = 0.1


async def race(url: str, random: Random, pace: Pace, *, is_enough: Callable[[], bool]) -> int:
    """Change things until there were enough, in both opinions; how many were committed."""
    database = Database(url, size=RACERS)
    try:
        return sum(
            await asyncio.gather(
                *(_run(database, Random(random.random()), pace, is_enough) for _ in range(RACERS))  # noqa: S311 -- dice
            )
        )
    finally:
        await database.close()


async def revisions_in(url: str) -> dict[str, int]:
    """Every item that there is, and how often it was written."""
    database = Database(url)
    query = sa.select(work_items.c.id, work_items.c.revision)
    try:
        rows = await database.read(lambda connection: connection.execute(query).all())
        return {str(id_): revision for id_, revision in rows}
    finally:
        await database.close()


async def _run(database: Database, random: Random, pace: Pace, is_enough: Callable[[], bool]) -> int:
    committed = 0
    while committed < pace.changes / RACERS or not is_enough():
        await asyncio.sleep(random.uniform(0, pace.rest_seconds))
        try:
            committed += await database.write(lambda connection: _transaction(connection, random, pace))
        except (RolledBack, StoreError):
            continue
    return committed


def _transaction(connection: sa.Connection, random: Random, pace: Pace) -> int:
    changes = 0
    for _ in range(random.randrange(1, 20)):
        changes += random.choice((_insert, _update, _update, _delete))(connection, random)
    if random.random() < 0.3:
        time.sleep(random.uniform(0, pace.longest_seconds))
    if random.random() < 0.15:
        raise RolledBack
    return changes


def _insert(connection: sa.Connection, _: Random) -> int:
    connection.execute(sa.insert(work_items).values(row_of(an_item())))
    return 1


def _update(connection: sa.Connection, random: Random) -> int:
    changed = {"revision": work_items.c.revision + 1}
    update = sa.update(work_items).where(work_items.c.id == _some_id(connection, random))
    return connection.execute(update.values(changed)).rowcount


def _delete(connection: sa.Connection, random: Random) -> int:
    if random.random() < 0.5:
        return 0
    some = sa.delete(work_items).where(work_items.c.id == _some_id(connection, random))
    return connection.execute(some).rowcount


def _some_id(connection: sa.Connection, random: Random) -> UUID | None:
    # Rows that another transaction holds are left alone: waiting for each other might never end.
    some = sa.select(work_items.c.id).offset(random.randrange(50)).limit(1)
    if connection.dialect.name == "postgresql":
        some = some.with_for_update(skip_locked=True)
    found: UUID | None = connection.execute(some).scalar_one_or_none()
    return found
