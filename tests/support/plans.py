"""Plans of PostgreSQL: what they read of the queue, with and without what the planner knows of it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.postgres import driver_of

Plan = Mapping[str, Any]

EXPLAIN: Final = b"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "
ANALYZE: Final = sa.text("ANALYZE work_items")

FORGET: Final = (
    sa.text("DELETE FROM pg_statistic WHERE starelid = 'work_items'::regclass"),
    sa.text("UPDATE pg_class SET relpages = 0, reltuples = -1 WHERE oid = 'work_items'::regclass"),
)
"""The planner knows nothing of the table afterwards, as after a restore."""


async def fill(database: Database, *statements: sa.Executable, statistics: str) -> None:
    """Fill the table; the planner knows of it as it was before (stale), as it is (fresh), or nothing (none)."""
    await run(database, sa.text("ALTER TABLE work_items SET (autovacuum_enabled = off)"), ANALYZE)
    await run(database, *statements)
    if statistics == "fresh":
        await run(database, ANALYZE)
    if statistics == "none":
        await run(database, *FORGET)


async def plan_of(database: Database, statement: bytes, parameters: Mapping[str, Any]) -> Plan:
    """How the statement of the driver was carried out."""

    def explain(connection: sa.Connection) -> Any:  # noqa: ANN401 -- a JSON document
        ((told,),) = driver_of(connection).execute(EXPLAIN + statement, parameters).fetchall()
        return json.loads(told)[0]["Plan"]

    plan: Plan = await database.autocommit(explain)
    return plan


async def run(database: Database, *statements: sa.Executable) -> None:
    """One after the other, each in a transaction of its own."""

    def work(connection: sa.Connection) -> None:
        for statement in statements:
            connection.execute(statement)

    await database.autocommit(work)


def reads_of(plan: Plan) -> Iterator[Plan]:
    """Where it reads the table of items, or an index of it."""
    return (part for part in _parts_of(plan) if part["Node Type"].endswith("Scan") and _is_of_items(part))


def _is_of_items(part: Plan) -> bool:
    return part.get("Relation Name") == "work_items" or "work_items" in part.get("Index Name", "")


def _parts_of(plan: Plan) -> Iterator[Plan]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _parts_of(part)
