"""The stores: in a SQLite file or in PostgreSQL, as the settings say."""

from datetime import timedelta
from typing import assert_never

import sqlalchemy as sa
from dependency_injector import containers, providers

from adapters.sql.account_changes import SqlAccountChanges
from adapters.sql.engine import DEADLINE, Database
from adapters.sql.known_proxies import SqlKnownProxies
from adapters.sql.live_photos import SqlLivePhotos
from adapters.sql.media_failures import SqlMediaFailures
from adapters.sql.media_library import SqlMediaLibrary
from adapters.sql.presences import SqlPresences
from adapters.sql.purge import SqlFinishedWork
from adapters.sql.refresh_tokens import SqlRefreshTokens
from adapters.sql.request_keys import SqlRequestKeys
from adapters.sql.sign_in_failures import SqlSignInFailures
from adapters.sql.storage_configs import SqlStorageConfigs
from adapters.sql.store_schema import SqlStoreSchema
from adapters.sql.stores import change_feed, work_store
from adapters.sql.sweep_findings import SqlSweepFindings
from adapters.sql.users import SqlUsers
from adapters.sql.waiting_line import SqlWaitingLine
from adapters.sql.work_lookup import SqlWorkLookup
from entrypoints.settings.stores import PostgresServer, SqliteFile, StoreLocation

BEAT_DEADLINE = timedelta(seconds=2)
"""How long one heartbeat may take: far less than a lease, so that the next one can still save it (R8)."""


def url_of(location: StoreLocation) -> str:
    """The address of the database, password and all."""
    match location:
        case SqliteFile(path=path):
            return sa.URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)
        case PostgresServer(url=url):
            return url
        case _:
            assert_never(location)


class Stores(containers.DeclarativeContainer):
    """Every port that a database stands behind. `name` is what the server shows of the connections.

    Heartbeats have a connection of their own that nobody else can occupy. What handlers of work use waits for
    a store that is away, as long as `outlasted`: longer than a lease nobody can hold an item without it.
    """

    location: providers.Dependency[StoreLocation] = providers.Dependency()
    name = providers.Dependency(instance_of=str)
    size = providers.Dependency(instance_of=int, default=5)
    behind_pooler = providers.Dependency(instance_of=bool, default=False)
    outlasted = providers.Dependency(instance_of=timedelta, default=timedelta(0))
    url = providers.Callable(url_of, location)
    database = providers.Singleton(
        Database, url, name=name, size=size, deadline=DEADLINE, behind_pooler=behind_pooler
    )
    beat_database = providers.Singleton(
        Database, url, name=name, size=1, deadline=BEAT_DEADLINE, behind_pooler=behind_pooler
    )

    transactions = database
    work = providers.Singleton(work_store, database)
    feed = providers.Singleton(change_feed, database)
    leases = providers.Singleton(work_store, beat_database)
    schema = providers.Singleton(SqlStoreSchema, beat_database)
    lookup = providers.Singleton(SqlWorkLookup, database)
    waiting_line = providers.Singleton(SqlWaitingLine, database)
    users = providers.Singleton(SqlUsers, database)
    account_changes = providers.Singleton(SqlAccountChanges, database)
    sessions = providers.Singleton(SqlRefreshTokens, database)
    sign_in_failures = providers.Singleton(SqlSignInFailures, database)
    configs = providers.Singleton(SqlStorageConfigs, database)
    presences = providers.Singleton(SqlPresences, database)
    findings = providers.Singleton(SqlSweepFindings, database)
    request_keys = providers.Singleton(SqlRequestKeys, database)

    patient = providers.Singleton(Database.outlasting, database, outlasted)
    refresh_tokens = providers.Singleton(SqlRefreshTokens, patient)
    past_failures = providers.Singleton(SqlSignInFailures, patient)
    library = providers.Singleton(SqlMediaLibrary, patient)
    live_photos = providers.Singleton(SqlLivePhotos, patient)
    failures = providers.Singleton(SqlMediaFailures, patient)
    crawled_configs = providers.Singleton(SqlStorageConfigs, patient)
    finished_work = providers.Singleton(SqlFinishedWork, patient)
    known_proxies = providers.Singleton(SqlKnownProxies, patient)
    patient_findings = providers.Singleton(SqlSweepFindings, patient)


async def closed(stores: Stores) -> None:
    """Let go of the connections, if any were opened."""
    for database in (stores.database(), stores.beat_database()):
        await database.close()
