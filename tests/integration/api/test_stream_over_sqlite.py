"""The live stream over SQLite."""

import shutil
from pathlib import Path

import pytest

from tests.contracts.web_stream import WebStreamContract


class TestWebStreamOverSqlite(WebStreamContract):
    longest_transaction_seconds = 0.01

    @pytest.fixture(scope="class")
    @classmethod
    def url(cls, sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
        path = tmp_path_factory.mktemp("stream") / "anichron.sqlite3"
        shutil.copyfile(sqlite_template, path)
        return f"sqlite:///{path}"

    @pytest.fixture
    def fresh_url(self, sqlite_url: str) -> str:
        return sqlite_url
