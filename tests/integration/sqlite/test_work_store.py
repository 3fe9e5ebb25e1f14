"""The store on SQLite keeps every promise of a store."""

from collections.abc import AsyncIterator

import pytest

from tests.contracts.work_store import WorkStoreContract
from tests.support.house import House
from tests.support.sql import a_sql_house


class TestSqliteWorkStore(WorkStoreContract):
    @pytest.fixture
    async def house(self, sqlite_url: str) -> AsyncIterator[House]:
        async with a_sql_house(sqlite_url) as house:
            yield house
