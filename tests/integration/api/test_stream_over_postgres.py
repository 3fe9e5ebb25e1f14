"""The live stream over PostgreSQL."""

from collections.abc import Iterator

import pytest

from adapters.sql.migrations import migrate
from tests.contracts.web_stream import WebStreamContract
from tests.support.postgres import PostgresServer


class TestWebStreamOverPostgres(WebStreamContract):
    @pytest.fixture(scope="class")
    @classmethod
    def url(cls, postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
        with postgres_server.database(copy_of=postgres_template) as url:
            # A copy is given an epoch of its own, which ends the cursors of whoever came before that.
            migrate(url)
            yield url

    @pytest.fixture
    def fresh_url(self, postgres_url: str) -> str:
        migrate(postgres_url)
        return postgres_url
