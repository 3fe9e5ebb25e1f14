"""Sweeps ask for rows in the order of an index, however many rows there are (R6)."""

from collections.abc import AsyncIterator

import pytest

from adapters.sql.engine import Database
from adapters.sql.known_proxies import SqlKnownProxies
from adapters.sql.sweep_findings import SqlSweepFindings
from domain.attempt import RunId
from domain.ids import Attempt, StorageConfigId
from domain.media.proxy_finding import FindingKind, FindingNumber
from tests.support.asked import plan_of_what
from tests.support.builders import an_id, ids


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    """Empty: its plans must be those of a large one."""
    database = Database(postgres_url)
    yield database
    await database.close()


@pytest.mark.parametrize("after", [None, "00/a.jpg"])
async def test_a_page_of_proxies_is_read_off_an_index(database: Database, after: str | None) -> None:
    plan = await plan_of_what(database, SqlKnownProxies(database).page(after=after, limit=1_000))

    assert "Index Only Scan using ix_media_proxies_path on media_proxies" in plan
    assert "Seq Scan" not in plan
    assert "Sort" not in plan


async def test_proxies_are_looked_up_by_an_index(database: Database) -> None:
    paths = [f"00/{number}.jpg" for number in range(1_000)]

    plan = await plan_of_what(database, SqlKnownProxies(database).among(paths))

    assert "Index Only Scan using ix_media_proxies_path on media_proxies" in plan
    assert "Index Cond: (path = ANY " in plan


async def test_chosen_findings_are_looked_up_by_their_key(database: Database) -> None:
    numbers = [FindingNumber(number) for number in range(1, 3_000, 3)]

    plan = await plan_of_what(database, SqlSweepFindings(database).numbered(a_run(), numbers))

    assert "Index Scan using pk_proxy_sweep_findings" in plan
    assert "(number = ANY " in plan.partition("Index Cond: ")[2].partition("\n")[0]


async def test_findings_are_read_in_the_order_of_their_key(database: Database) -> None:
    findings = SqlSweepFindings(database)

    plan = await plan_of_what(
        database,
        findings.page(
            a_run(),
            kinds=frozenset(FindingKind),
            owners=[StorageConfigId(ids.next())],
            after=FindingNumber(7),
            limit=500,
        ),
    )

    assert "Index Scan using pk_proxy_sweep_findings" in plan
    assert "(number > 7)" in plan.partition("Index Cond: ")[2].partition("\n")[0]
    assert "Sort" not in plan


def a_run() -> RunId:
    return RunId(an_id(), Attempt(1))
