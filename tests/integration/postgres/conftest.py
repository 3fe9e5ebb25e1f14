from collections.abc import AsyncIterator

import pytest

from adapters.sql.engine import Database
from tests.support.house import House
from tests.support.sql import a_sql_house


@pytest.fixture
async def house(postgres_url: str) -> AsyncIterator[House]:
    """The store as somebody with a good line sees it."""
    async with a_sql_house(postgres_url) as house:
        yield house


@pytest.fixture(params=[False, True], ids=["with settings", "behind a pooler"])
async def planned(request: pytest.FixtureRequest, postgres_url: str) -> AsyncIterator[Database]:
    """With the store's settings of the planner, and with those of the server."""
    database = Database(postgres_url, behind_pooler=request.param)
    yield database
    await database.close()
