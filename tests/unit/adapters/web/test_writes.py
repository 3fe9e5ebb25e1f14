"""What the API can do to the queue: ask for work, cancel, and nothing else (S-34)."""

from dataclasses import replace

from adapters.memory.database import MemoryDatabase
from adapters.memory.work_store import MemoryWorkStore
from tests.support.builders import a_new_item, enqueued
from tests.support.every_route import Operation, Subjects, asked, operations
from tests.support.house import House
from tests.support.memory import a_memory_house
from tests.support.web import CONFIGS, ITEMS, WORKERS, WebClient, a_web_client, ports_of


class WatchedStore(MemoryWorkStore):
    """Remembers which of its verbs were used."""

    def __init__(self, database: MemoryDatabase) -> None:
        """Start with none."""
        super().__init__(database)
        self.used: set[str] = set()

    def __getattribute__(self, name: str) -> object:
        if not name.startswith("_") and name != "used":
            self.used.add(name)
        return super().__getattribute__(name)


async def everything_is_asked(house: House, web: WebClient) -> set[Operation]:
    """Ask for everything that the description knows; the operations that were answered well."""
    config = await house.a_config()
    item = await enqueued(house.store, a_new_item(kind="crawl", storage_config_id=config))
    answered = set()
    for operation in await operations(web):
        response = await asked(web, operation, Subjects(item, config))
        assert response.status_code < 500, response.text
        if response.status_code < 400:
            answered.add(operation)
    return answered


async def test_no_route_uses_a_verb_of_the_worker() -> None:
    house = a_memory_house()
    assert isinstance(house.transactions, MemoryDatabase)
    store = WatchedStore(house.transactions)
    ports = replace(ports_of(house), inbox=store, ledger=store, cancels=store)

    async with a_web_client(ports) as web:
        answered = await everything_is_asked(house, web)

    assert store.used == {"insert", "cancel", "get", "page", "counts", "attempts"}
    assert {
        Operation("GET", ITEMS),
        Operation("GET", f"{ITEMS}/counts"),
        Operation("GET", f"{ITEMS}/{{item_id}}"),
        Operation("POST", f"{ITEMS}/{{item_id}}/cancel"),
        Operation("POST", f"{ITEMS}/crawls"),
        Operation("GET", WORKERS),
        Operation("POST", CONFIGS),
        Operation("PATCH", f"{CONFIGS}/{{config_id}}"),
        Operation("DELETE", f"{CONFIGS}/{{config_id}}"),
    } <= answered
