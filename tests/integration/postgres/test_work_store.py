"""The store on PostgreSQL keeps every promise of a store."""

from collections.abc import AsyncIterator

import pytest

from tests.contracts.work_store import WorkStoreContract
from tests.support.house import House
from tests.support.sql import a_sql_house


class TestPostgresWorkStore(WorkStoreContract):
    @pytest.fixture
    async def house(self, postgres_url: str) -> AsyncIterator[House]:
        async with a_sql_house(postgres_url) as house:
            yield house
