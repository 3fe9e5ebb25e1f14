"""A server's start-up: its database gets the schema of this version as soon as it can be reached."""

from collections.abc import Awaitable, Callable
from typing import Final, assert_never

import structlog

from adapters.system.clock import SystemClock
from adapters.system.ids import SystemChance
from adapters.system.lanes import ThreadLane
from adapters.system.loops import new_loop
from application.ports.errors import StoreUnavailable
from application.ports.lanes import Raised, Returned
from application.waiting import Patience
from entrypoints.settings.model import Settings
from entrypoints.wiring.schema import bring_up_to_date

LANE: Final = "preparing"


async def prepared(settings: Settings, furnish: Callable[[], Awaitable[None]]) -> None:
    """Wait until the database is there, brought up to date and furnished, however long that takes.

    Raises what these raise, but for `StoreUnavailable`: then all of it is done again.
    """
    patience = Patience(SystemClock(), SystemChance())
    lane = ThreadLane(LANE, new_loop)
    try:
        while True:
            end = await lane.start_blocking(lambda: bring_up_to_date(settings)).end()
            match end:
                case Returned():
                    unavailable = await _furnished(furnish)
                    if unavailable is None:
                        return
                    await _told_to_wait(unavailable, patience)
                case Raised(error=StoreUnavailable() as error):
                    await _told_to_wait(error, patience)
                case Raised(error=error):
                    raise error
                case _:
                    assert_never(end)
    finally:
        lane.close()


async def _furnished(furnish: Callable[[], Awaitable[None]]) -> StoreUnavailable | None:
    try:
        await furnish()
    except StoreUnavailable as error:
        return error
    return None


async def _told_to_wait(error: StoreUnavailable, patience: Patience) -> None:
    structlog.get_logger().warning("waiting for the database", error=str(error))
    await patience.wait()
