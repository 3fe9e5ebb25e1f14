"""Bad rows on SQLite."""

from collections.abc import AsyncIterator

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.stores import change_feed
from domain.feed import Changes
from domain.ids import JsonText, WorkItemId
from domain.outcomes import Recorded, Recovered
from domain.work_item import Failed, WorkItem
from tests.contracts.bad_rows import BadRowContract, write
from tests.support.builders import LEASE, a_claim, a_success, enqueued
from tests.support.house import House
from tests.support.moves import Arranged, sighted
from tests.support.reading import everything, state_of
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

    @pytest.mark.parametrize("as_type", ["TEXT", "BLOB"])
    @pytest.mark.parametrize(
        "column", ["kind", "claimed_by", "error", "error_code", "progress_note", "dedup_key"]
    )
    async def test_a_text_that_is_not_utf_8_hides_no_other_row(
        self, house: House, database: Database, column: str, as_type: str
    ) -> None:
        before = await change_feed(database).here()
        bad, good = await Arranged(house).failed(), await enqueued(house.store)
        await poke(database, bad.id, column, f"CAST(x'ff41' AS {as_type})")

        items = await everything(house.store)

        assert set(items) == {bad.id, good}
        assert "\ufffdA" in shown(items[bad.id])
        told = await change_feed(database).since(before, limit=10)
        assert isinstance(told, Changes)
        assert {item.id for item in told.items} == {bad.id, good}
        assert (await house.store.counts()).by_kind
        assert [item.id for item in await house.store.claim(a_claim(limit=5))] == [good]

    @pytest.mark.parametrize("column", ["error", "error_code", "progress_note", "dedup_key", "claimed_by"])
    async def test_a_waiting_item_with_a_text_that_is_not_utf_8_is_worked_on_like_any_other(
        self, house: House, database: Database, column: str
    ) -> None:
        bad, good = await enqueued(house.store), await enqueued(house.store)
        await poke(database, bad, column, "CAST(x'ff41' AS TEXT)")

        claimed = await house.store.claim(a_claim(limit=5))

        assert [item.id for item in claimed] == [bad, good]
        assert [await house.store.finish(item.id, a_success(item.attempt)) for item in claimed] == [
            Recorded(),
            Recorded(),
        ]

    async def test_a_running_item_held_by_what_is_not_utf_8_is_recovered(
        self, house: House, database: Database
    ) -> None:
        item = await Arranged(house).running()
        await poke(database, item.id, "claimed_by", "CAST(x'ff41' AS TEXT)")
        await house.age(LEASE)

        assert isinstance(await house.store.recover(await sighted(house, item.id), stall_limit=3), Recovered)
        assert [attempt.claimed_by for attempt in await house.store.attempts(item.id)] == ["\ufffdA"]


async def poke(database: Database, item: WorkItemId, column: str, value: str) -> None:
    """Put into a column what no driver would write there."""
    poked = sa.text(f"UPDATE work_items SET {column} = {value} WHERE id = :item")  # noqa: S608
    poked = poked.bindparams(sa.bindparam("item", item, type_=sa.Uuid))
    await database.write(lambda connection: connection.execute(poked).close())


def shown(item: WorkItem) -> set[str | None]:
    """Every text that is shown of a failed item."""
    state = state_of(item, Failed)
    return {
        item.kind,
        item.dedup_key,
        state.run.claimed_by,
        state.run.progress.note,
        state.failure.text,
        state.failure.code,
    }
