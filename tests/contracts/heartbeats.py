"""What every store promises about heartbeats."""

from datetime import timedelta
from typing import Final

from domain.outcomes import Fenced, LeaseExtended, StopRequested
from domain.progress import Progress
from domain.work_item import (
    Running,
)
from tests.support.builders import (
    ADA,
    LEASE,
    a_heartbeat,
)
from tests.support.house import House
from tests.support.moves import Arranged
from tests.support.reading import nearly, state_of, stored

HALFWAY: Final = Progress(done=4, total=8, note="4 of 8")
FULL: Final = Progress(done=8, total=8, note="all 8")


class HeartbeatContract:
    """A heartbeat keeps the item, tells how far it is, and brings a cancel back."""

    async def test_a_heartbeat_extends_the_lease_from_now(self, house: House) -> None:
        item = await Arranged(house).running()
        await house.age(timedelta(seconds=40))

        answer = await house.store.heartbeat(item.id, a_heartbeat(item.attempt))

        after = await stored(house.store, item.id)
        lease = state_of(after, Running).lease
        assert answer == LeaseExtended()
        assert nearly(lease.until - after.updated_at, LEASE)
        assert (lease.holder, after.attempt, after.revision) == (ADA, 1, 3)
        await house.age(timedelta(seconds=40))
        assert await house.store.expired(limit=5) == ()

    async def test_a_heartbeat_keeps_the_latest_progress(self, house: House) -> None:
        item = await Arranged(house).running()

        await house.store.heartbeat(item.id, a_heartbeat(item.attempt, progress=HALFWAY))
        await house.store.heartbeat(item.id, a_heartbeat(item.attempt, progress=FULL))

        assert state_of(await stored(house.store, item.id), Running).progress == FULL

    async def test_a_heartbeat_without_progress_leaves_the_last_one(self, house: House) -> None:
        item = await Arranged(house).running()
        await house.store.heartbeat(item.id, a_heartbeat(item.attempt, progress=HALFWAY))

        await house.store.heartbeat(item.id, a_heartbeat(item.attempt))

        assert state_of(await stored(house.store, item.id), Running).progress == HALFWAY

    async def test_progress_may_lose_its_total_again(self, house: House) -> None:
        item = await Arranged(house).running()
        unknown = Progress(done=2**53 - 1, total=None, note="\N{CAMERA} 2 folders\n\t…")
        await house.store.heartbeat(item.id, a_heartbeat(item.attempt, progress=HALFWAY))

        await house.store.heartbeat(item.id, a_heartbeat(item.attempt, progress=unknown))

        assert state_of(await stored(house.store, item.id), Running).progress == unknown

    async def test_a_heartbeat_brings_a_cancel_back_every_time(self, house: House) -> None:
        item = await Arranged(house).asked_to_stop()

        answers = [await house.store.heartbeat(item.id, a_heartbeat(item.attempt)) for _ in range(2)]

        assert answers == [StopRequested(), StopRequested()]
        asked_at = state_of(item, Running).cancel_requested_at
        assert asked_at is not None
        assert state_of(await stored(house.store, item.id), Running).cancel_requested_at == asked_at

    async def test_a_lease_that_ran_out_unnoticed_can_still_be_extended(self, house: House) -> None:
        item = await Arranged(house).running()
        await house.age(LEASE * 2)

        answer = await house.store.heartbeat(item.id, a_heartbeat(item.attempt))

        assert answer == LeaseExtended()
        assert await house.store.expired(limit=5) == ()

    async def test_a_heartbeat_of_an_item_that_waits_or_has_ended_is_fenced(self, house: House) -> None:
        items = [
            await Arranged(house).stopped(),
            await Arranged(house).succeeded(),
            await Arranged(house).released(),
        ]

        answers = [await house.store.heartbeat(item.id, a_heartbeat(item.attempt)) for item in items]

        assert answers == [Fenced(), Fenced(), Fenced()]
        assert [await stored(house.store, item.id) for item in items] == items
