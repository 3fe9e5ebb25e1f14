"""Calls to SQLite."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.sql.engine import Database
from tests.contracts.database import DatabaseContract, MakeDatabase


class TestSqliteDatabase(DatabaseContract):
    @pytest.fixture
    async def make_database(self, sqlite_url: str) -> AsyncIterator[MakeDatabase]:
        made: list[Database] = []

        def make(**settings: object) -> Database:
            made.append(Database(sqlite_url, **settings))  # type: ignore[arg-type]
            return made[-1]

        yield make
        await asyncio.gather(*(database.close() for database in made))
