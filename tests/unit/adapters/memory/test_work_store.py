"""The memory store is no fake: it keeps every promise of a store."""

import pytest

from tests.contracts.work_store import WorkStoreContract
from tests.support.house import House
from tests.support.memory import a_memory_house


class TestMemoryWorkStore(WorkStoreContract):
    @pytest.fixture
    def house(self) -> House:
        return a_memory_house()
