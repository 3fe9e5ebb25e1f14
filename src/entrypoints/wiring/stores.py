"""The stores: in memory, in a SQLite file, or in PostgreSQL, as the settings say."""

from datetime import timedelta
from typing import assert_never

import sqlalchemy as sa
from dependency_injector import containers, providers

from adapters.memory.database import MemoryDatabase
from adapters.memory.media_library import MemoryMediaLibrary
from adapters.memory.presences import MemoryPresences
from adapters.memory.refresh_tokens import MemoryRefreshTokens
from adapters.memory.storage_configs import MemoryStorageConfigs
from adapters.memory.store_schema import MemoryStoreSchema
from adapters.memory.users import MemoryUsers
from adapters.memory.work_lookup import MemoryWorkLookup
from adapters.memory.work_store import MemoryWorkStore
from adapters.sql.engine import DEADLINE, Database
from adapters.sql.media_library import SqlMediaLibrary
from adapters.sql.presences import SqlPresences
from adapters.sql.refresh_tokens import SqlRefreshTokens
from adapters.sql.storage_configs import SqlStorageConfigs
from adapters.sql.store_schema import SqlStoreSchema
from adapters.sql.stores import work_store
from adapters.sql.users import SqlUsers
from adapters.sql.work_lookup import SqlWorkLookup
from adapters.system.clock import SystemClock
from entrypoints.settings.stores import InMemory, PostgresServer, SqliteFile, StoreLocation

BEAT_DEADLINE = timedelta(seconds=2)
"""How long one heartbeat may take: far less than a lease, so that the next one can still save it (R8)."""


def kind_of(location: StoreLocation) -> str:
    """Which of the stores it is."""
    match location:
        case InMemory():
            return "memory"
        case SqliteFile():
            return "sqlite"
        case PostgresServer():
            return "postgres"
        case _:
            assert_never(location)


def url_of(location: StoreLocation) -> str:
    """Where SQL goes. The store in memory has no such place and is never asked for it."""
    match location:
        case SqliteFile(path=path):
            return sa.URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)
        case PostgresServer(url=url):
            return url
        case InMemory():
            raise AssertionError("the store in memory has no address")
        case _:
            assert_never(location)


class MemoryStores(containers.DeclarativeContainer):
    """Everything in this process, and gone with it."""

    clock = providers.Singleton(SystemClock)
    database = providers.Singleton(MemoryDatabase, clock)
    work = providers.Singleton(MemoryWorkStore, database)
    schema = providers.Singleton(MemoryStoreSchema)
    lookup = providers.Singleton(MemoryWorkLookup, database)
    users = providers.Singleton(MemoryUsers, database)
    configs = providers.Singleton(MemoryStorageConfigs, database)
    presences = providers.Singleton(MemoryPresences, database)
    refresh_tokens = providers.Singleton(MemoryRefreshTokens, database)
    library = providers.Singleton(MemoryMediaLibrary, database)


class SqlStores(containers.DeclarativeContainer):
    """Everything in one database. Heartbeats have a connection of their own that nobody else can occupy."""

    location: providers.Dependency[StoreLocation] = providers.Dependency()
    name = providers.Dependency(instance_of=str)
    size = providers.Dependency(instance_of=int)
    behind_pooler = providers.Dependency(instance_of=bool)
    url = providers.Callable(url_of, location)
    database = providers.Singleton(
        Database, url, name=name, size=size, deadline=DEADLINE, behind_pooler=behind_pooler
    )
    beat_database = providers.Singleton(
        Database, url, name=name, size=1, deadline=BEAT_DEADLINE, behind_pooler=behind_pooler
    )
    work = providers.Singleton(work_store, database)
    leases = providers.Singleton(work_store, beat_database)
    schema = providers.Singleton(SqlStoreSchema, beat_database)
    lookup = providers.Singleton(SqlWorkLookup, database)
    users = providers.Singleton(SqlUsers, database)
    configs = providers.Singleton(SqlStorageConfigs, database)
    presences = providers.Singleton(SqlPresences, database)
    refresh_tokens = providers.Singleton(SqlRefreshTokens, database)
    library = providers.Singleton(SqlMediaLibrary, database)


class Stores(containers.DeclarativeContainer):
    """Every port that a database stands behind. `name` is what the server shows of the connections."""

    location: providers.Dependency[StoreLocation] = providers.Dependency()
    name = providers.Dependency(instance_of=str)
    size = providers.Dependency(instance_of=int, default=5)
    behind_pooler = providers.Dependency(instance_of=bool, default=False)
    kind = providers.Callable(kind_of, location)
    memory = providers.Container(MemoryStores)
    sql = providers.Container(SqlStores, location=location, name=name, size=size, behind_pooler=behind_pooler)

    work = providers.Selector(kind, memory=memory.work, sqlite=sql.work, postgres=sql.work)
    leases = providers.Selector(kind, memory=memory.work, sqlite=sql.leases, postgres=sql.leases)
    schema = providers.Selector(kind, memory=memory.schema, sqlite=sql.schema, postgres=sql.schema)
    lookup = providers.Selector(kind, memory=memory.lookup, sqlite=sql.lookup, postgres=sql.lookup)
    users = providers.Selector(kind, memory=memory.users, sqlite=sql.users, postgres=sql.users)
    configs = providers.Selector(kind, memory=memory.configs, sqlite=sql.configs, postgres=sql.configs)
    presences = providers.Selector(
        kind, memory=memory.presences, sqlite=sql.presences, postgres=sql.presences
    )
    refresh_tokens = providers.Selector(
        kind, memory=memory.refresh_tokens, sqlite=sql.refresh_tokens, postgres=sql.refresh_tokens
    )
    library = providers.Selector(kind, memory=memory.library, sqlite=sql.library, postgres=sql.library)
    transactions = providers.Selector(
        kind, memory=memory.database, sqlite=sql.database, postgres=sql.database
    )


async def closed(stores: Stores) -> None:
    """Let go of the connections, if any were opened."""
    if isinstance(stores.location(), InMemory):
        return
    for database in (stores.sql.database(), stores.sql.beat_database()):
        await database.close()
