from collections.abc import AsyncIterator

import pytest

from tests.support.house import House
from tests.support.memory import a_memory_house
from tests.support.web import WebClient, a_web_client, ports_of


@pytest.fixture
def house() -> House:
    return a_memory_house()


@pytest.fixture
async def web(house: House) -> AsyncIterator[WebClient]:
    async with a_web_client(ports_of(house)) as client:
        yield client
