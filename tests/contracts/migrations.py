"""What the migrations promise on either engine (S-36)."""

import logging
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from queue import Queue
from typing import Final

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from adapters.sql.media_tables import media_assets
from adapters.sql.migrations import check, connections, current, migrate
from adapters.sql.session_tables import sessions
from application.ports.errors import SchemaFromTheFuture
from application.ports.store_schema import SchemaBehind, SchemaFits
from tests.support.catalogs import catalog

MIGRATE: Final = "import sys; from adapters.sql.migrations import migrate; migrate(sys.argv[1])"

DIE_HALFWAY: Final = """
import os, signal
import sqlalchemy as sa
@sa.event.listens_for(sa.Engine, "before_cursor_execute")
def die(connection, cursor, statement, *_):
    if "CREATE TABLE media_proxies" in statement:
        os.kill(os.getpid(), signal.SIGKILL)
"""


class MigrationsContract:
    """Run on an empty database, whose URL is `url`."""

    @pytest.fixture
    def url(self) -> str:
        raise NotImplementedError

    def hold_the_lock(self, url: str) -> AbstractContextManager[object]:
        """Keep everybody from migrating, as another process does that is migrating."""
        raise NotImplementedError

    def test_an_empty_database_gets_the_newest_schema(self, url: str) -> None:
        assert current(url) is None
        assert check(url) == SchemaBehind(None, "0005")

        assert migrate(url) == SchemaBehind(None, "0005")

        assert check(url) == SchemaFits("0005")
        assert current(url) == "0005"

    def test_a_second_migration_changes_nothing(self, url: str) -> None:
        migrate(url)
        before = catalog(url)

        assert migrate(url) == SchemaFits("0005")

        assert catalog(url) == before

    def test_four_that_start_at_once_are_all_right(self, url: str) -> None:
        starters = [program(MIGRATE, url) for _ in range(4)]

        assert [finished(starter) for starter in starters] == [(0, ""), (0, ""), (0, ""), (0, "")]
        assert check(url) == SchemaFits("0005")

    def test_it_waits_for_another_and_says_so(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(connections, "PATIENCE", timedelta(milliseconds=50))
        starter = threading.Thread(target=migrate, args=[url])

        with self.hold_the_lock(url), heard(logging.getLogger("adapters.sql.migrations")) as words:
            starter.start()
            first_word = words.get(timeout=30)
            assert starter.is_alive()
        starter.join(timeout=30)

        assert first_word == "the database is locked by another process: the migration waits"
        assert check(url) == SchemaFits("0005")

    def test_a_killed_migration_leaves_the_old_schema(self, url: str) -> None:
        assert finished(program(DIE_HALFWAY + MIGRATE, url)) == (-signal.SIGKILL, "")

        assert catalog(url) == []
        assert migrate(url) == SchemaBehind(None, "0005")

    def test_a_schema_from_the_future_is_refused(self, url: str) -> None:
        migrate(url)
        in_the_future(url, "0815")
        before = catalog(url)

        for attempt in (migrate, check):
            with pytest.raises(
                SchemaFromTheFuture, match="revision 0815; this version knows none after 0005"
            ):
                attempt(url)

        assert catalog(url) == before
        assert current(url) == "0815"

    def test_the_tables_of_the_code_are_those_of_the_migrations(self, url: str) -> None:
        migrate(url)
        migrated = catalog(url)

        with sa.create_engine(url, poolclass=sa.NullPool).begin() as connection:
            context = MigrationContext.configure(connection)
            assert sessions.metadata is media_assets.metadata
            assert compare_metadata(context, media_assets.metadata) == []
            media_assets.metadata.drop_all(connection)
            media_assets.metadata.create_all(connection)

        assert catalog(url) == migrated


@contextmanager
def heard(logger: logging.Logger) -> Iterator[Queue[str]]:
    """What it says from now on, as it says it."""
    words: Queue[str] = Queue()
    ear = logging.Handler()
    ear.emit = lambda record: words.put(record.getMessage())  # type: ignore[method-assign]
    level = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(ear)
    yield words
    logger.removeHandler(ear)
    logger.setLevel(level)


def program(code: str, url: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, url], stderr=subprocess.PIPE, text=True)


def finished(program: subprocess.Popen[str]) -> tuple[int, str]:
    _, errors = program.communicate(timeout=60)
    return program.returncode, errors


def in_the_future(url: str, revision: str) -> None:
    with sa.create_engine(url, poolclass=sa.NullPool).begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :new").bindparams(new=revision))
