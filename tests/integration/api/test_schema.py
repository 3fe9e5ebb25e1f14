"""What health is told of real databases."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.store_schema import SqlStoreSchema
from application.ports.errors import StoreUnavailable
from application.ports.store_schema import SchemaAhead, SchemaBehind, SchemaFits

FUTURE = sa.text("UPDATE alembic_version SET version_num = '9999'")


@pytest.fixture(params=["sqlite_url", "postgres_url"])
def migrated(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(request.param)
    return url


@pytest.fixture(params=["empty_sqlite_url", "empty_postgres_url"])
def empty(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(request.param)
    return url


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    try:
        yield database
    finally:
        await database.close()


async def test_a_migrated_database_fits(migrated: str) -> None:
    async with opened(migrated) as database:
        assert await SqlStoreSchema(database).condition() == SchemaFits("0005")


async def test_a_database_without_tables_is_behind(empty: str) -> None:
    async with opened(empty) as database:
        assert await SqlStoreSchema(database).condition() == SchemaBehind(None, "0005")


async def test_a_database_of_a_newer_version_is_ahead(migrated: str) -> None:
    async with opened(migrated) as database:
        await database.write(lambda connection: connection.execute(FUTURE))

        assert await SqlStoreSchema(database).condition() == SchemaAhead("9999", "0005")


async def test_a_database_that_is_not_there_does_not_answer() -> None:
    async with opened("postgresql+psycopg://anichron@127.0.0.1:1/anichron") as database:
        with pytest.raises(StoreUnavailable):
            await SqlStoreSchema(database).condition()
