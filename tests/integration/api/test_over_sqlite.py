"""The web API over SQLite."""

from collections.abc import AsyncIterator

import pytest

from tests.contracts.web_api import WebApiContract
from tests.support.house import House
from tests.support.sql import a_sql_house


class TestWebApiOverSqlite(WebApiContract):
    @pytest.fixture
    async def house(self, sqlite_url: str) -> AsyncIterator[House]:
        async with a_sql_house(sqlite_url) as house:
            yield house
