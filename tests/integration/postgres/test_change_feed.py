"""The change feed on PostgreSQL keeps every promise of a feed."""

from collections.abc import AsyncIterator

import pytest

from tests.contracts.change_feed import WholeFeedContract
from tests.contracts.feed_races import FeedRaceContract
from tests.support.house import House
from tests.support.sql import a_sql_house


class TestPostgresChangeFeed(WholeFeedContract, FeedRaceContract):
    @pytest.fixture
    async def house(self, postgres_url: str) -> AsyncIterator[House]:
        async with a_sql_house(postgres_url) as house:
            yield house
