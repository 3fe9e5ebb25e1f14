"""What the stores on SQL make of rows that no move of a work item could have left."""

import logging

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.tables import work_items
from domain.ids import JsonText, WorkItemId
from domain.outcomes import AlreadyFinished, CancelRequested, Recorded, Recovered
from domain.work_item import Failed, Queued, Running, Succeeded
from tests.support.builders import LEASE, a_success, claimed, enqueued
from tests.support.house import House
from tests.support.moves import Arranged, sighted
from tests.support.reading import everything, state_of, stored


class BadRowContract:
    """A bad row is shown with what is known of it, told of in the log, and stands in nobody's way."""

    async def test_finished_items_without_what_they_should_have_are_listed_among_the_others(
        self, house: House, database: Database, caplog: pytest.LogCaptureFixture
    ) -> None:
        succeeded, failed = await Arranged(house).succeeded(), await Arranged(house).failed()
        cancelled = await Arranged(house).stopped()
        await write(database, succeeded.id, result=None, claimed_by=None)
        await write(database, failed.id, error=None, error_code=None, started_at=None)
        await write(database, cancelled.id, result=None)
        good = await enqueued(house.store)

        with caplog.at_level(logging.WARNING, logger="adapters.sql"):
            items = await everything(house.store)

        assert set(items) == {succeeded.id, failed.id, cancelled.id, good}
        assert state_of(items[succeeded.id], Succeeded).result == JsonText("null")
        assert state_of(items[succeeded.id], Succeeded).run.claimed_by == "unknown"
        assert state_of(items[failed.id], Failed).failure.code == "unknown"
        assert {record.message for record in caplog.records} == {
            f"work item {succeeded.id} is succeeded, but its row lacks result, claimed_by",
            f"work item {failed.id} is failed, but its row lacks error_code, started_at",
            f"work item {cancelled.id} is cancelled, but its row lacks result",
        }

    async def test_a_progress_that_cannot_be_is_shown_within_its_bounds(
        self, house: House, database: Database
    ) -> None:
        item = await Arranged(house).running()
        await write(database, item.id, progress_done=-5, progress_total=2**60)

        progress = state_of(await stored(house.store, item.id), Running).progress

        assert (progress.done, progress.total) == (0, 2**53 - 1)

    async def test_a_running_item_without_a_holder_is_recovered_like_any_other(
        self, house: House, database: Database
    ) -> None:
        item = await Arranged(house).running()
        await write(database, item.id, claimed_by=None, started_at=None)
        await house.age(LEASE)

        recovery = await house.store.recover(await sighted(house, item.id), stall_limit=3)

        assert isinstance(recovery, Recovered)
        assert (recovery.item.state, recovery.item.stalls) == (Queued(), 1)

    async def test_a_running_item_without_a_holder_can_be_cancelled_and_finished(
        self, house: House, database: Database
    ) -> None:
        item = await Arranged(house).running()
        await write(database, item.id, claimed_by=None, started_at=None)

        assert isinstance(await house.store.cancel(item.id), CancelRequested)
        assert await house.store.finish(item.id, a_success(item.attempt)) == Recorded()
        assert isinstance(await house.store.cancel(item.id), AlreadyFinished)
        assert [attempt.claimed_by for attempt in await house.store.attempts(item.id)] == ["unknown"]

    async def test_a_bad_row_delays_no_claim(self, house: House, database: Database) -> None:
        first, second = await enqueued(house.store), await enqueued(house.store)
        await write(database, first, error="left over", partial=True, claimed_by="somebody")

        assert [(await claimed(house.store)).id for _ in range(2)] == [first, second]


async def write(database: Database, item: WorkItemId, **columns: object) -> None:
    """Write to a row what nothing but a hand could write."""
    update = sa.update(work_items).where(work_items.c.id == item).values(columns)
    await database.write(lambda connection: connection.execute(update).close())
