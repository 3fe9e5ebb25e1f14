"""The memory store's change feed keeps every promise of a feed."""

import pytest

from tests.contracts.change_feed import WholeFeedContract
from tests.contracts.feed_races import FeedRaceContract
from tests.support.house import House
from tests.support.memory import a_memory_house


class TestMemoryChangeFeed(WholeFeedContract, FeedRaceContract):
    @pytest.fixture
    def house(self) -> House:
        return a_memory_house()
