"""The migrations on PostgreSQL."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
import sqlalchemy as sa

from adapters.sql.migrations import check, migrate
from adapters.sql.migrations.connections import ADVISORY_KEY
from application.ports.errors import StoreUnavailable
from tests.contracts.migrations import MigrationsContract
from tests.support.catalogs import catalog

SCHEMA: Final = Path(__file__).parents[3] / "docs/schema.sql"


class TestMigrationsOnPostgres(MigrationsContract):
    @pytest.fixture
    def url(self, empty_postgres_url: str) -> str:
        return empty_postgres_url

    @contextmanager
    def hold_the_lock(self, url: str) -> Iterator[None]:
        with sa.create_engine(url, poolclass=sa.NullPool).begin() as connection:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_KEY)))
            yield

    def test_a_server_that_is_away_is_told_as_such(self) -> None:
        for attempt in (migrate, check):
            with pytest.raises(StoreUnavailable, match=r"^PostgreSQL client: connection failed"):
                attempt("postgresql://somebody:secret@127.0.0.1:1/anichron")

    def test_every_table_and_column_has_a_comment(self, url: str) -> None:
        migrate(url)

        assert [line for line in catalog(url) if line.endswith(": no comment")] == []

    def test_the_written_schema_is_what_the_migrations_make(
        self, postgres_url: str, empty_postgres_url: str
    ) -> None:
        with sa.create_engine(empty_postgres_url, poolclass=sa.NullPool).begin() as connection:
            connection.exec_driver_sql(SCHEMA.read_text(encoding="utf-8"))

        assert catalog(empty_postgres_url) == catalog(postgres_url)

    def test_the_catalog_tells_everything_that_matters(self, postgres_url: str) -> None:
        lines = "\n".join(catalog(postgres_url))

        for shape in (
            "^table work_items with fillfactor=80,autovacuum_analyze_scale_factor=0,autovacuum_analyze_threshold=1000: ",
            "^column users.id uuid not null: UUIDv7$",
            r"^constraint work_items.ck_work_items_leased_while_running CHECK \(",
            r"^constraint work_item_attempts.fk_work_item_attempts_work_item_id FOREIGN KEY .* ON DELETE CASCADE$",
            "^index CREATE UNIQUE INDEX uq_work_items_waiting_dedup_key .* WHERE ",
        ):
            assert re.search(shape, lines, re.MULTILINE)
