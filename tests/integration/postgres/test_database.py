"""Calls to PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.sql.engine import Database
from tests.contracts.database import DatabaseContract, MakeDatabase


class TestPostgresDatabase(DatabaseContract):
    @pytest.fixture
    async def make_database(self, postgres_url: str) -> AsyncIterator[MakeDatabase]:
        made: list[Database] = []

        def make(**settings: object) -> Database:
            made.append(Database(postgres_url, **settings))  # type: ignore[arg-type]
            return made[-1]

        yield make
        await asyncio.gather(*(database.close() for database in made))
