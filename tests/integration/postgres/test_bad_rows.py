"""Bad rows on PostgreSQL."""

from collections.abc import AsyncIterator

import pytest

from adapters.sql.engine import Database
from tests.contracts.bad_rows import BadRowContract
from tests.support.house import House
from tests.support.sql import a_sql_house


class TestPostgresBadRows(BadRowContract):
    @pytest.fixture
    async def house(self, postgres_url: str) -> AsyncIterator[House]:
        async with a_sql_house(postgres_url) as house:
            yield house

    @pytest.fixture
    async def database(self, postgres_url: str) -> AsyncIterator[Database]:
        database = Database(postgres_url)
        yield database
        await database.close()
