"""What a `Database` promises, whichever it is."""

import asyncio
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.errors import Taken, TryAgain, UnknownReference
from adapters.sql.rows import row_of
from adapters.sql.stores import work_store
from adapters.sql.tables import work_items
from application.ports.errors import StoreRefused, StoreUnavailable
from domain.ids import StorageConfigId
from domain.outcomes import Created, UnknownItem
from domain.work_item import NewWorkItem
from tests.support.builders import a_claim, a_new_item, an_id
from tests.support.clock import START

BRIEFLY: Final = timedelta(milliseconds=200)
MakeDatabase = Callable[..., Database]


def insert(new: NewWorkItem) -> Callable[[sa.Connection], None]:
    """The work of writing this item's row, without asking whether it is there."""
    return lambda connection: connection.execute(
        sa.insert(work_items).values(row_of(new.queued_at(START)))
    ).close()


class DatabaseContract:
    """Calls are whole, bounded, and carried out once they have begun."""

    @pytest.fixture
    def database(self, make_database: MakeDatabase) -> Database:
        return make_database()

    async def test_work_that_raises_leaves_nothing_behind(self, database: Database) -> None:
        new = a_new_item()

        def fail(connection: sa.Connection) -> None:
            insert(new)(connection)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await database.write(fail)

        assert await work_store(database).get(new.id) == UnknownItem()

    async def test_a_step_that_fails_leaves_the_rest_of_its_transaction(self, database: Database) -> None:
        first, second = a_new_item(), a_new_item()

        async with database.begin() as transaction:
            await database.write(insert(first), within=transaction)
            with pytest.raises(Taken):
                await database.write(insert(first), within=transaction)
            await database.write(insert(second), within=transaction)

        assert {item.id for item in (await work_store(database).claim(a_claim(limit=5)))} == {
            first.id,
            second.id,
        }

    async def test_broken_rules_of_the_schema_are_told_apart(self, database: Database) -> None:
        new = a_new_item()
        await database.write(insert(new))
        unknown = a_new_item(storage_config_id=StorageConfigId(an_id()))

        with pytest.raises(Taken):
            await database.write(insert(new))
        with pytest.raises(UnknownReference):
            await database.write(insert(unknown))
        with pytest.raises(StoreRefused):
            await database.write(
                lambda connection: connection.execute(sa.update(work_items).values(stalls=-1))
            )

    async def test_nobody_joins_a_transaction_that_has_ended_or_is_not_theirs(
        self, make_database: MakeDatabase
    ) -> None:
        mine, theirs = make_database(), make_database()

        async with theirs.begin() as transaction:
            with pytest.raises(StoreRefused):
                await mine.write(insert(a_new_item()), within=transaction)
        with pytest.raises(StoreRefused):
            await theirs.write(insert(a_new_item()), within=transaction)

    async def test_a_cancelled_call_is_carried_out_and_waited_for(self, database: Database) -> None:
        new = a_new_item()
        begun, may_end = threading.Event(), threading.Event()

        def slowly(connection: sa.Connection) -> None:
            begun.set()
            may_end.wait()
            insert(new)(connection)

        call = asyncio.create_task(database.write(slowly))
        await asyncio.to_thread(begun.wait)
        call.cancel()
        await asyncio.wait([call], timeout=0)
        assert not call.done()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await call

        assert await work_store(database).insert(new) == Created(new.id)

    async def test_a_cancelled_transaction_is_rolled_back_before_its_task_ends(
        self, database: Database
    ) -> None:
        new = a_new_item()
        inserted = asyncio.Event()

        async def insert_and_hang() -> None:
            async with database.begin() as transaction:
                await database.write(insert(new), within=transaction)
                inserted.set()
                await asyncio.Event().wait()

        hanging = asyncio.create_task(insert_and_hang())
        await inserted.wait()
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging

        assert await work_store(database).get(new.id) == UnknownItem()
        await database.write(insert(new))

    async def test_a_call_that_has_not_begun_by_its_deadline_never_begins(
        self, make_database: MakeDatabase
    ) -> None:
        database = make_database(size=1, deadline=BRIEFLY)
        new = a_new_item()

        async with database.begin():
            with pytest.raises(StoreUnavailable, match=r"did not answer within 0.2 s"):
                await database.write(insert(new))

        await database.write(insert(a_new_item()))
        assert await work_store(database).get(new.id) == UnknownItem()

    async def test_work_that_others_get_in_the_way_of_is_run_again(self, database: Database) -> None:
        tries = []

        def third_time_lucky(_: sa.Connection) -> str:
            tries.append(1)
            if len(tries) < 3:
                raise TryAgain
            return "done"

        assert await database.write(third_time_lucky) == "done"

    async def test_work_that_others_get_in_the_way_of_for_ever_is_given_up(self, database: Database) -> None:
        def overtaken(_: sa.Connection) -> None:
            raise TryAgain

        with pytest.raises(StoreUnavailable):
            await database.write(overtaken)

    async def test_event_loops_may_share_a_database(self, database: Database) -> None:
        news = [a_new_item() for _ in range(3)]

        def on_a_loop_of_its_own(new: NewWorkItem) -> None:
            asyncio.run(database.write(insert(new)))

        await asyncio.gather(*(asyncio.to_thread(on_a_loop_of_its_own, new) for new in news))

        assert {item.id for item in await work_store(database).claim(a_claim(limit=5))} == {
            new.id for new in news
        }

    async def test_a_closed_database_is_unavailable(self, make_database: MakeDatabase) -> None:
        database = make_database()
        await database.write(insert(a_new_item()))
        await database.close()

        with pytest.raises(StoreUnavailable):
            await database.read(lambda connection: connection.execute(sa.select(1)).scalar_one())
