"""A second crawl of the same files, on a real database: nothing is read, and nothing is written."""

import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.sql.engine import Database
from application.ingestion.step import Folder
from domain.media.file import RelativePath
from tests.contracts.shelves import Shelf
from tests.support.crawling import Labelled, Photos, counts, labelled, no_renderer, some_photos
from tests.support.sql_shelf import a_sql_shelf


@pytest.fixture
async def shelf(sqlite_url: str) -> AsyncIterator[Shelf]:
    database = Database(sqlite_url)
    yield await a_sql_shelf(database)
    await database.close()


@pytest.fixture
async def photos(tmp_path: Path, shelf: Shelf) -> Photos:
    """A folder of photos whose rows are in the database."""
    photos = await some_photos(tmp_path)
    surroundings = replace(
        photos.surroundings,
        library=shelf.library,
        assets=shelf.assets,
        live_photos=shelf.live_photos,
        failures=shelf.failures,
    )
    return replace(photos, folder=Folder(shelf.config, photos.folder.root), surroundings=surroundings)


async def test_a_second_crawl_writes_nothing_at_all(photos: Photos, sqlite_url: str, shelf: Shelf) -> None:
    photos.put("a/1.heic", labelled("1", "image/heic"))
    photos.put("a/1.mov", labelled("film", "video/quicktime"))
    photos.put("caf\udce9.jpg", labelled("latin"))
    photos.put("broken.jpg", b"nonsense")
    photos.put("goes.jpg", labelled("goes"))
    photos.put("moves.jpg", labelled("moves"))
    photos.put("raw.cr2", b"raw")
    await photos.completed(renderers=Labelled)
    (photos.root / "goes.jpg").unlink()
    (photos.root / "moves.jpg").rename(photos.root / "a/moved.jpg")
    first = await photos.completed(renderers=Labelled)
    known = await shelf.known()
    still, film = known[RelativePath(b"a/1.heic")], known[RelativePath(b"a/1.mov")]
    watching = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))
    before = watching.execute("PRAGMA data_version").fetchone()

    second = await photos.completed(renderers=no_renderer)

    after = watching.execute("PRAGMA data_version").fetchone()
    watching.close()
    everything = {"found": 6, "damaged": 1, "passed-over": 1}
    assert counts(first) == {**everything, "unchanged": 3, "moved": 1, "missing": 1}
    assert counts(second) == {**everything, "unchanged": 4}
    assert after == before
    assert (await shelf.stored(still.path)).paired_with == film.id
    assert (await shelf.stored(film.path)).paired_with == still.id
