"""The claim reads what it needs, and no more, whatever the planner has been told of the table (R1, R3, R6)."""

from typing import Final

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.postgres_statements import claim, shape_of
from domain.ids import StorageConfigId
from domain.scope import AllScopes, Scope, UserScope
from tests.support.builders import CRAWL, KNOWN_KINDS, LEASE
from tests.support.house import House
from tests.support.plans import Plan, fill, plan_of, reads_of

OTHERS: Final = 20_000
INDEXES: Final = {"ix_work_items_ready", "ix_work_items_later", "pk_work_items"}
FETCHED: Final = 200
"""Rows of the table that a claim may touch: some heads of each of 2 kinds and 3 scopes, and those again by id."""

FILL: Final = sa.text("""
    INSERT INTO work_items (id, kind, payload, storage_config_id, requested_at, updated_at, status, attempt,
        stalls, retries, progress_done, progress_note, partial, revision)
    SELECT gen_random_uuid(), :kind, '{}', :config, at, at, 'queued', 0, 0, 0, 0, '', false, 1
    FROM generate_series(1, :count) AS item, LATERAL (SELECT now() + item * interval '1 ms' AS at) AS instant
""")


@pytest.mark.parametrize("statistics", ["stale", "fresh", "none"])
async def test_a_claim_reads_few_rows_however_many_wait_for_others(
    house: House, planned: Database, statistics: str
) -> None:
    user = await house.a_user()
    mine, foreign = await house.a_config(of=user), await house.a_config()
    waiting = (queued(foreign, count=OTHERS), queued(mine, count=100))
    await fill(planned, *waiting, statistics=statistics)

    for scope in (UserScope(user), AllScopes()):
        plan = await plan_of_a_claim(planned, scope)

        assert sum(part["Actual Rows"] * part["Actual Loops"] for part in reads_of(plan)) < FETCHED
        assert indexes_of(plan) <= INDEXES


async def test_the_store_asks_for_plans_that_do_not_depend_on_statistics(postgres_url: str) -> None:
    database = Database(postgres_url)

    plan = await plan_of_a_claim(database, AllScopes())

    assert indexes_of(plan) == INDEXES
    await database.close()


def queued(config: StorageConfigId, *, count: int) -> sa.Executable:
    return FILL.bindparams(kind=CRAWL, config=config, count=count)


async def plan_of_a_claim(database: Database, scope: Scope) -> Plan:
    """How a claim was carried out."""
    user = scope.user_id if isinstance(scope, UserScope) else None
    parameters = {"kinds": sorted(KNOWN_KINDS), "user": user, "holder": "explain", "lease_for": LEASE}
    return await plan_of(database, claim(shape_of(scope, limit=1)), parameters)


def indexes_of(plan: Plan) -> set[str]:
    """By what it finds items; the table's own name where it reads all of it."""
    found = {part.get("Index Name", part["Node Type"]) for part in reads_of(plan)}
    return found - {"Bitmap Heap Scan"}
