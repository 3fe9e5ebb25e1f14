"""The API on a socket, served by the very loop that a test runs on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import uvicorn

from adapters.system.clock import SystemClock
from adapters.web.exceptions import RequestFault
from adapters.web.stream_frames import SseFrames
from adapters.web.stream_response import SlowClient, Streaming
from adapters.web.views.work_items import Limits
from application.live.hub import Hub
from application.live.options import LiveOptions
from application.live.parts import LiveParts
from domain.ids import UserId
from entrypoints.api import ApiServer
from entrypoints.connections import CuttableConnection
from entrypoints.listening import listening_socket
from tests.support.feeds import ScriptedFeed
from tests.support.journal import RecordingJournal
from tests.support.listening import GREETING
from tests.support.memory import a_memory_house
from tests.support.web import an_app, bearing, ports_of, signed_as, somebody

QUICK: Final = LiveOptions(
    poll=timedelta(seconds=0.05), soonest=timedelta(0), keep_alive=timedelta(seconds=0.2)
)


@dataclass(slots=True, kw_only=True)
class Here:
    """An API over a feed that the test writes, and what it reports."""

    port: int
    hub: Hub
    feed: ScriptedFeed
    server: ApiServer
    admins: list[UserId]
    cut: list[SlowClient] = field(default_factory=list)
    faults: list[RequestFault] = field(default_factory=list)

    def headers(self, admin: int = 0) -> dict[str, str]:
        """Those of an admin."""
        return bearing(signed_as(self.admins[admin]))


@asynccontextmanager
async def an_api_here(
    *, options: LiveOptions = QUICK, patience: timedelta = timedelta(seconds=0.5), admins: int = 1
) -> AsyncIterator[Here]:
    """Served until the end of the block."""
    clock, feed = SystemClock(), ScriptedFeed()
    ports = ports_of(a_memory_house())
    frames = SseFrames(GREETING, Limits(stall_limit=3), clock.now)
    parts = LiveParts(feed=feed, users=ports.users, frames=frames, clock=clock, journal=RecordingJournal())
    hub = Hub(parts, options)
    cut: list[SlowClient] = []
    faults: list[RequestFault] = []
    app = an_app(ports, faults.append, streaming=Streaming(hub=hub, report=cut.append, patience=patience))
    config = uvicorn.Config(
        app, http=CuttableConnection, ws="none", lifespan="off", log_config=None, log_level="error"
    )
    server = ApiServer(config, hub)
    listening = listening_socket("127.0.0.1", 0)
    serving = asyncio.create_task(server.serve([listening]))
    try:
        yield Here(
            port=listening.getsockname()[1],
            hub=hub,
            feed=feed,
            server=server,
            admins=[await somebody(ports.users, is_admin=True) for _ in range(admins)],
            cut=cut,
            faults=faults,
        )
    finally:
        server.stop()
        await serving
