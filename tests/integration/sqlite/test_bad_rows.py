"""Bad rows on SQLite."""

from collections.abc import AsyncIterator

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from domain.ids import JsonText
from tests.contracts.bad_rows import BadRowContract, write
from tests.support.builders import a_claim, enqueued
from tests.support.house import House
from tests.support.reading import everything
from tests.support.sql import a_sql_house


class TestSqliteBadRows(BadRowContract):
    @pytest.fixture
    async def house(self, sqlite_url: str) -> AsyncIterator[House]:
        async with a_sql_house(sqlite_url) as house:
            yield house

    @pytest.fixture
    async def database(self, sqlite_url: str) -> AsyncIterator[Database]:
        database = Database(sqlite_url)
        yield database
        await database.close()

    async def test_a_text_that_is_no_instant_hides_no_other_row(
        self, house: House, database: Database
    ) -> None:
        bad, good = await enqueued(house.store), await enqueued(house.store)
        await write(database, bad, requested_at=sa.literal("yesterday", sa.Text))

        assert (await everything(house.store))[bad].requested_at.year == 1970
        assert {item.id for item in await house.store.claim(a_claim(limit=5))} == {bad, good}

    async def test_a_payload_that_is_no_text_hides_no_other_row(
        self, house: House, database: Database
    ) -> None:
        bad, good = await enqueued(house.store), await enqueued(house.store)
        await write(database, bad, payload=sa.literal(b"\xff\x00", sa.LargeBinary))

        assert set(await everything(house.store)) == {bad, good}
        payloads = {item.id: item.payload for item in await house.store.claim(a_claim(limit=5))}
        assert payloads == {bad: JsonText("\ufffd\x00"), good: JsonText("{}")}
