"""The web API over the store in memory."""

import pytest

from tests.contracts.web_api import WebApiContract
from tests.support.house import House
from tests.support.memory import a_memory_house


class TestWebApiInMemory(WebApiContract):
    @pytest.fixture
    def house(self) -> House:
        return a_memory_house()
