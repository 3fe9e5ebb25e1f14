"""The same requests to an API in a process of its own, over real databases."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from schemathesis import Case

from tests.support.described import an_admin_of_a_busy_queue, judge, thorough
from tests.support.openapi import SNAPSHOT
from tests.support.postgres import PostgresServer
from tests.support.serving import ApiProcess, serving
from tests.support.sql import a_sql_house
from tests.support.web import SECRET, Headers


@dataclass(frozen=True, slots=True)
class Install:
    """An API that serves, and somebody who may ask it for everything."""

    api: ApiProcess
    admin: Headers

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.api.port}"


@pytest.fixture(scope="module")
def over_sqlite(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Install]:
    path = tmp_path_factory.mktemp("described") / "anichron.sqlite3"
    shutil.copyfile(sqlite_template, path)
    with an_install(f"sqlite:///{path}") as install:
        yield install


@pytest.fixture(scope="module")
def over_postgres(postgres_server: PostgresServer, postgres_template: str) -> Iterator[Install]:
    with postgres_server.database(copy_of=postgres_template) as url, an_install(url) as install:
        yield install


@contextmanager
def an_install(url: str) -> Iterator[Install]:
    """An API over this database, in which a lot has happened. Nothing of what follows may break it."""

    async def filled() -> Headers:
        async with a_sql_house(url) as house:
            return await an_admin_of_a_busy_queue(house)

    admin = asyncio.run(filled())
    # Live streams never end: what they answer is tested with clients that read them.
    with serving(url, JWT__SECRET=SECRET, API__STREAM_SECONDS="0") as api:
        yield Install(api, admin)
        assert "request failed" not in api.said


schema = schemathesis.openapi.from_path(SNAPSHOT)


@schema.parametrize()
@thorough
def test_what_is_answered_over_sqlite_is_what_the_description_says(
    case: Case[Any], over_sqlite: Install
) -> None:
    judge(case, over_sqlite.admin, at=over_sqlite.address)


@schema.parametrize()
@thorough
def test_what_is_answered_over_postgres_is_what_the_description_says(
    case: Case[Any], over_postgres: Install
) -> None:
    judge(case, over_postgres.admin, at=over_postgres.address)
