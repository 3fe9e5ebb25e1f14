"""What the API can do to the queue: ask for work, cancel, and nothing else (S-34)."""

from dataclasses import replace

from adapters.memory.database import MemoryDatabase
from adapters.memory.work_store import MemoryWorkStore
from domain.ids import StorageConfigId
from tests.support.builders import a_new_item, enqueued
from tests.support.house import House
from tests.support.memory import a_memory_house
from tests.support.web import CONFIGS, ITEMS, WORKERS, Json, WebClient, a_web_client, ports_of


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


async def everything_is_asked(house: House, web: WebClient) -> set[tuple[str, str]]:
    """Ask for everything that the description knows; the operations that were answered well."""
    config = await house.a_config()
    item = await enqueued(house.store, a_new_item(kind="crawl", storage_config_id=config))
    paths = {"{item_id}": str(item), "{config_id}": str(config)}
    answered = set()
    for path, method in operations(await web.json("/schema/openapi.json")):
        asked = path
        for name, value in paths.items():
            asked = asked.replace(name, value)
        response = await web.send(asked, body_for(path, config, web), method=method)
        assert response.status_code < 500, response.text
        if response.status_code < 400:
            answered.add((method, path))
    return answered


def operations(document: Json) -> list[tuple[str, str]]:
    """What it may be asked for; what removes things comes last."""
    found = [(path, method.upper()) for path, item in document["paths"].items() for method in item]
    return sorted(found, key=lambda operation: (operation[1] == "DELETE", operation))


def body_for(path: str, config: StorageConfigId, web: WebClient) -> Json | bytes:
    """What is to be sent there."""
    if path == f"{ITEMS}/crawls":
        return {"storageConfigId": str(config)}
    if path == CONFIGS:
        return {"userId": str(web.admin), "rootPath": "/srv/photos"}
    return {"isActive": True} if path.startswith(CONFIGS) else b""


async def test_no_route_uses_a_verb_of_the_worker() -> None:
    house = a_memory_house()
    assert isinstance(house.transactions, MemoryDatabase)
    store = WatchedStore(house.transactions)
    ports = replace(ports_of(house), inbox=store, ledger=store, cancels=store)

    async with a_web_client(ports) as web:
        answered = await everything_is_asked(house, web)

    assert store.used == {"insert", "cancel", "get", "page", "counts", "attempts"}
    assert {
        ("GET", ITEMS),
        ("GET", f"{ITEMS}/counts"),
        ("GET", f"{ITEMS}/{{item_id}}"),
        ("POST", f"{ITEMS}/{{item_id}}/cancel"),
        ("POST", f"{ITEMS}/crawls"),
        ("GET", WORKERS),
        ("POST", CONFIGS),
        ("PATCH", f"{CONFIGS}/{{config_id}}"),
        ("DELETE", f"{CONFIGS}/{{config_id}}"),
    } <= answered
