"""The queue as a whole, looked at now and then."""

from datetime import timedelta

from adapters.memory.database import MemoryDatabase
from adapters.memory.presences import MemoryPresences
from adapters.memory.storage_configs import MemoryStorageConfigs
from adapters.memory.waiting_line import MemoryWaitingLine
from adapters.memory.work_store import MemoryWorkStore
from application.overview import Overview, OverviewPorts
from domain.page import Counts
from tests.support.builders import enqueued
from tests.support.clock import ManualClock


class CountingStore(MemoryWorkStore):
    """Counts how often it counts."""

    counted = 0

    async def counts(self) -> Counts:
        self.counted += 1
        return await super().counts()


async def test_the_store_counts_once_in_two_seconds_however_many_ask() -> None:
    clock = ManualClock()
    database = MemoryDatabase(clock)
    store = CountingStore(database)
    ports = OverviewPorts(
        ledger=store,
        presences=MemoryPresences(database),
        configs=MemoryStorageConfigs(database),
        line=MemoryWaitingLine(database),
    )
    overview = Overview(ports, clock)

    first = [await overview.numbers() for _ in range(10)]
    await enqueued(store)
    clock.advance(timedelta(milliseconds=1_999))
    still = await overview.numbers()
    clock.advance(timedelta(milliseconds=1))
    then = await overview.numbers()

    assert {numbers.counts.oldest_waiting_at for numbers in first} == {None}
    assert still == first[0]
    assert then.counts.oldest_waiting_at is not None
    assert store.counted == 2
