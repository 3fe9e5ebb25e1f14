"""Real databases for tests: SQLite files, and PostgreSQL in whatever way this machine can have it.

A plugin of pytest. Ask for `postgres_url` or `sqlite_url` to get a migrated database of one's own, or for
`empty_postgres_url` or `empty_sqlite_url` to get one without any tables. Nothing here ever skips a test.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.sql.migrations import migrate
from tests.support.postgres import NoPostgres, PostgresServer, a_postgres_server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    try:
        with a_postgres_server() as server:
            yield server
    except NoPostgres as reasons:
        raise pytest.fail.Exception(str(reasons), pytrace=False) from None


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer) -> Iterator[str]:
    """A migrated database that others are copied from. Nobody may be connected to it."""
    with postgres_server.database() as url:
        migrate(url)
        yield url


@pytest.fixture
def postgres_url(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    with postgres_server.database(copy_of=postgres_template) as url:
        yield url


@pytest.fixture
def empty_postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file that others are copied from."""
    path = tmp_path_factory.mktemp("sqlite") / "template.sqlite3"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    path = tmp_path / "anichron.sqlite3"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture
def empty_sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'anichron.sqlite3'}"
