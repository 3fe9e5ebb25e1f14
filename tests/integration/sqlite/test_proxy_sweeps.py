"""What is around proxy sweeps keeps its promises on SQLite."""

from collections.abc import AsyncIterator

import pytest

from tests.contracts.known_proxies import KnownProxiesContract
from tests.contracts.leaving_findings import LeavingFindingsContract
from tests.contracts.request_keys import RequestKeysContract
from tests.contracts.strange_findings import StrangeFindingsContract
from tests.contracts.sweep_findings import FindingPagesContract, RecordedFindingsContract
from tests.support.sql import a_sql_house
from tests.support.sweeping import Sweeping, sweeping_over


@pytest.fixture
async def place(sqlite_url: str) -> AsyncIterator[Sweeping]:
    async with a_sql_house(sqlite_url) as house:
        yield sweeping_over(house)


class TestSqliteProxySweeps(
    RecordedFindingsContract,
    FindingPagesContract,
    LeavingFindingsContract,
    StrangeFindingsContract,
    KnownProxiesContract,
    RequestKeysContract,
):
    """All of them."""
