"""Sweeps ask for rows in the order of an index, however many rows there are (R6)."""

from collections.abc import AsyncIterator

import pytest

from adapters.sql.engine import Database
from adapters.sql.known_proxies import SqlKnownProxies
from adapters.sql.sweep_findings import SqlSweepFindings
from domain.attempt import RunId
from domain.ids import Attempt
from domain.media.proxy_finding import FindingNumber
from tests.support.asked import plan_of_what
from tests.support.builders import an_id


@pytest.fixture
async def database(sqlite_url: str) -> AsyncIterator[Database]:
    database = Database(sqlite_url)
    yield database
    await database.close()


async def test_a_page_of_proxies_is_read_off_an_index(database: Database) -> None:
    plan = await plan_of_what(database, SqlKnownProxies(database).page(after="00/a.jpg", limit=1_000))

    assert "SEARCH media_proxies USING COVERING INDEX ix_media_proxies_path (path>?)" in plan
    assert "SCAN media_proxies" not in plan
    assert "DISTINCT" not in plan


async def test_proxies_are_looked_up_by_an_index(database: Database) -> None:
    plan = await plan_of_what(database, SqlKnownProxies(database).among(["00/a.jpg", "00/b.jpg"]))

    assert "SEARCH media_proxies USING COVERING INDEX ix_media_proxies_path (path=?)" in plan
    assert "SCAN media_proxies" not in plan


async def test_chosen_findings_are_looked_up_by_their_key(database: Database) -> None:
    run = RunId(an_id(), Attempt(1))
    numbers = [FindingNumber(1), FindingNumber(3)]

    plan = await plan_of_what(database, SqlSweepFindings(database).numbered(run, numbers))

    assert "(work_item_id=? AND attempt=? AND number=?)" in plan
