"""The web API over PostgreSQL."""

from collections.abc import AsyncIterator

import pytest

from tests.contracts.web_api import WebApiContract
from tests.support.house import House
from tests.support.sql import a_sql_house


class TestWebApiOverPostgres(WebApiContract):
    @pytest.fixture
    async def house(self, postgres_url: str) -> AsyncIterator[House]:
        async with a_sql_house(postgres_url) as house:
            yield house
