"""A server's start-up: its database gets the schema of this version as soon as it can be reached."""

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


async def prepared(settings: Settings) -> None:
    """Wait until the database is there and brought up to date, however long that takes.

    Raises what `bring_up_to_date` raises, but for `StoreUnavailable`.
    """
    patience = Patience(SystemClock(), SystemChance())
    lane = ThreadLane(LANE, new_loop)
    try:
        while True:
            end = await lane.start_blocking(lambda: bring_up_to_date(settings)).end()
            match end:
                case Returned():
                    return
                case Raised(error=StoreUnavailable() as error):
                    structlog.get_logger().warning("waiting for the database", error=str(error))
                    await patience.wait()
                case Raised(error=error):
                    raise error
                case _:
                    assert_never(end)
    finally:
        lane.close()
