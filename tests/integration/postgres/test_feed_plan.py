"""A poll and a page read what they need, and no more, whatever the planner has been told of the table (R1)."""

from typing import Final

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.postgres_feed import TOP, parameters_of
from adapters.sql.postgres_feed_statements import CHANGES, page, page_shape_of
from adapters.sql.postgres_lists import parameters_of as parameters_of_page
from adapters.sql.schema import POSTGRESQL
from adapters.sql.snapshots import Snapshot
from domain.ids import KindName, StorageConfigId, UserId
from domain.page import EVERYTHING, Filter, Schedule
from domain.work_item import Status
from tests.support.builders import CLEANUP, CRAWL
from tests.support.house import House
from tests.support.plans import Plan, fill, plan_of, reads_of

MANY: Final = 20_000
READ: Final = 1_500
"""Rows that may be touched: a page and one more of each of 2 kinds, 5 statuses and 2 requesters, and those by id."""

PAGES: Final = 150
"""Blocks that an idle poll may touch: the entries of one status alone fill more."""

FILL: Final = sa.text("""
    INSERT INTO work_items (id, kind, payload, storage_config_id, requested_by, requested_at, updated_at, finished_at,
        status, attempt, stalls, retries, progress_done, progress_note, partial, revision)
    SELECT gen_random_uuid(), CASE WHEN n % 5000 = 0 THEN CAST(:rare AS text) ELSE :kind END, '{}',
        CASE WHEN n % 5000 <> 0 THEN CAST(:config AS uuid) END, CASE WHEN n % 2500 = 1 THEN CAST(:user AS uuid) END,
        now(), now(), CASE WHEN n % 3 <> 0 THEN now() END,
        CASE WHEN n % 3 = 0 THEN 'queued' WHEN n % 3000 = 1 THEN 'failed' ELSE 'succeeded' END,
        0, 0, 0, 0, '', false, 1
    FROM generate_series(1, :count) AS n
""")


@pytest.mark.parametrize("statistics", ["stale", "fresh", "none"])
async def test_polls_and_pages_read_few_rows_however_many_there_are(
    house: House, planned: Database, statistics: str
) -> None:
    user = await house.a_user()
    config = await house.a_config(of=user)
    filled = {"kind": CRAWL, "rare": CLEANUP, "config": config, "user": user, "count": MANY}
    await fill(planned, FILL.bindparams(**filled), statistics=statistics)

    here = await planned.read(
        lambda seen: Snapshot.of(seen.exec_driver_sql("SELECT pg_current_snapshot()::text").scalar_one())
    )
    polls = parameters_of(here.unseen(), None, TOP, 201)
    plan = await plan_of(planned, text_of(CHANGES), polls)
    assert rows_read(plan) < READ
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < PAGES
    for which in filters(config, user):
        for_page = parameters_of_page(which, 51, None)
        plan = await plan_of(planned, text_of(page(page_shape_of(which, goes_on=False))), for_page)
        assert rows_read(plan) < READ


def filters(config: StorageConfigId, user: UserId) -> list[Filter]:
    rare = frozenset({KindName(CLEANUP)})
    return [
        EVERYTHING,
        Filter(statuses=frozenset({Status.FAILED})),
        Filter(kinds=rare),
        Filter(kinds=frozenset({KindName("from-the-future")})),
        Filter(storage_config_id=config),
        Filter(requested_by=user),
        Filter(requested_by=Schedule()),
        Filter(storage_config_id=config, requested_by=user),
        Filter(frozenset({Status.FAILED}), rare, config, Schedule()),
    ]


def text_of(statement: sa.TextualSelect) -> bytes:
    """As the driver gets it."""
    return str(statement.compile(dialect=POSTGRESQL)).encode()


def rows_read(plan: Plan) -> int:
    """How many rows of the table, or entries of an index of it, were looked at."""
    return sum(map(looked_at, reads_of(plan)))


def looked_at(part: Plan) -> int:
    seen = part["Actual Rows"] + part.get("Rows Removed by Filter", 0)
    return int(seen * part["Actual Loops"])
