"""The migrations on SQLite."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from adapters.sql.migrations import check, migrate
from application.ports.errors import StoreUnavailable
from application.ports.store_schema import SchemaBehind
from tests.contracts.migrations import MigrationsContract
from tests.support.catalogs import catalog


class TestMigrationsOnSqlite(MigrationsContract):
    @pytest.fixture
    def url(self, empty_sqlite_url: str) -> str:
        return empty_sqlite_url

    @contextmanager
    def hold_the_lock(self, url: str) -> Iterator[None]:
        with sa.create_engine(url, poolclass=sa.NullPool).connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield
            connection.exec_driver_sql("ROLLBACK")

    def test_a_folder_that_is_not_there_is_told_as_such(self, tmp_path: Path) -> None:
        with pytest.raises(StoreUnavailable, match=r"^SQLite: unable to open database file$"):
            migrate(f"sqlite:///{tmp_path / 'nowhere' / 'anichron.sqlite3'}")

    def test_a_file_of_something_else_is_told_as_such(self, tmp_path: Path) -> None:
        photo = tmp_path / "photo.jpg"
        photo.write_bytes(b"\xff\xd8\xff" * 1_000)

        for attempt in (migrate, check):
            with pytest.raises(StoreUnavailable, match=r"^SQLite: file is not a database$"):
                attempt(f"sqlite:///{photo}")

        assert photo.read_bytes() == b"\xff\xd8\xff" * 1_000

    def test_to_look_makes_no_file(self, url: str, tmp_path: Path) -> None:
        assert check(url) == SchemaBehind(None, "0005")

        assert list(tmp_path.iterdir()) == []

    def test_the_catalog_tells_everything_that_matters(self, sqlite_url: str) -> None:
        lines = "\n".join(catalog(sqlite_url))

        for shape in (
            "^column users.id CHAR\\(32\\) null 0 default none key 1$",
            "^foreign key work_item_attempts.work_item_id to work_items.id on delete CASCADE$",
            "^unique users \\(name_key\\)$",
            "^check work_items.ck_work_items_leased_while_running ",
            "^index CREATE UNIQUE INDEX uq_work_items_waiting_dedup_key .* WHERE ",
        ):
            assert re.search(shape, lines, re.MULTILINE)
