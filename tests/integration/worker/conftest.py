from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.support.house import House
from tests.support.outages import Outage, outages_of
from tests.support.processes import Workers, workers_on
from tests.support.sql import a_sql_house


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """A migrated database of each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def workers(url: str, tmp_path: Path) -> Iterator[Workers]:
    with workers_on(url, tmp_path) as workers:
        yield workers


@pytest.fixture
def outage(postgres_url: str) -> Iterator[Outage]:
    with outages_of(postgres_url) as outage:
        yield outage


@pytest.fixture
async def house(url: str) -> AsyncIterator[House]:
    async with a_sql_house(url) as house:
        yield house
