"""A SQLite that is too old."""

import sqlite3
from pathlib import Path

import pytest

from adapters.sql.engine import Database
from adapters.sql.migrations import migrate
from application.ports.errors import StoreUnfit


def test_a_library_that_is_too_old_is_refused_and_makes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 39, 4))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.39.4")
    url = f"sqlite:///{tmp_path}/queue.db"

    for start in (migrate, Database):
        with pytest.raises(StoreUnfit, match=r"^SQLite 3.39.4 is too old: 3.40 is the oldest that will do.$"):
            start(url)
    assert list(tmp_path.iterdir()) == []
