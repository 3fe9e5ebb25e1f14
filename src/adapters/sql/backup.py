"""Copies of a SQLite file that is in use."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from adapters.sql.errors import translated
from adapters.sql.feed_origin import new_epoch


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy the database as of one instant; `target` appears whole, for its owner alone, or not at all.

    Writers are not held up: the copy begins again by itself when they get ahead of it.
    Raises the errors of `application.ports.errors`, and `OSError` for a target that cannot be written.
    """
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        _copy(source, fresh)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    try:
        with (
            closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro", uri=True)) as reading,
            closing(sqlite3.connect(target)) as writing,
        ):
            reading.backup(writing)
            _make_another(writing)
            # The copy is one file: the log beside it would be forgotten by whoever moves it.
            writing.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise translated(error) from error


def _make_another(copy: sqlite3.Connection) -> None:
    """Who knows the original's later changes must read everything anew, should the copy ever take its place."""
    if copy.execute("SELECT count(*) FROM sqlite_master WHERE name = 'change_feed'").fetchone() == (1,):
        copy.execute("UPDATE change_feed SET epoch = ?", [new_epoch()])
        copy.commit()
