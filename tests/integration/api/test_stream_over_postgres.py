"""The live stream over PostgreSQL."""

from collections.abc import Iterator

import pytest

from tests.contracts.web_stream import WebStreamContract
from tests.support.postgres import PostgresServer


class TestWebStreamOverPostgres(WebStreamContract):
    @pytest.fixture(scope="class")
    @classmethod
    def url(cls, postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
        with postgres_server.database(copy_of=postgres_template) as url:
            yield url

    @pytest.fixture
    def fresh_url(self, postgres_url: str) -> str:
        return postgres_url
