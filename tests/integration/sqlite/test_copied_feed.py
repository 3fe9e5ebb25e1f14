"""A copy of a SQLite database: whoever knows what the original did after it must read everything anew."""

from pathlib import Path

import sqlalchemy as sa

from adapters.sql.backup import copy_sqlite
from adapters.sql.migrations import migrate
from domain.feed import Changes, CursorLost, Lost
from tests.support.builders import enqueued
from tests.support.reading import everything
from tests.support.sql import a_sql_house


async def test_a_copy_has_an_epoch_of_its_own(sqlite_url: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    async with a_sql_house(sqlite_url) as house:
        kept = await enqueued(house.store)
        copy_sqlite(Path(str(sa.make_url(sqlite_url).database)), copy)
        await enqueued(house.store)
        cursor = await house.feed.here()
        assert isinstance(await house.feed.since(cursor, limit=10), Changes)

    async with a_sql_house(f"sqlite:///{copy}") as house:
        answer = await house.feed.since(cursor, limit=10)

        assert isinstance(answer, CursorLost)
        assert answer.why is Lost.EPOCH
        assert (await everything(house.store)).keys() == {kept}


async def test_a_start_leaves_every_cursor_good(sqlite_url: str) -> None:
    async with a_sql_house(sqlite_url) as house:
        cursor = await house.feed.here()
        migrate(sqlite_url)

        assert isinstance(await house.feed.since(cursor, limit=10), Changes)
