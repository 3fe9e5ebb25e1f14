"""Serves the web API from this process: the socket, the database's schema, signals, and the way out."""

import asyncio
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import structlog
import uvicorn

from adapters.system.loops import new_loop
from adapters.telemetry.logs import set_up_logs
from application.live.hub import Hub
from entrypoints.connections import CuttableConnection
from entrypoints.listening import CannotListen, listening_socket, trusted
from entrypoints.preparing import prepared
from entrypoints.settings.model import Settings
from entrypoints.signals import Signals
from entrypoints.wiring.api import Api
from entrypoints.wiring.first_admin import add_first_admin
from entrypoints.wiring.stores import closed

SERVED: Final = 0
UNAVAILABLE: Final = 69

GRACE_SECONDS: Final = 2.9
"""From the signal to the end of the process, whatever hangs."""

REQUEST_GRACE_SECONDS: Final = 1
CLOSING_GRACE_SECONDS: Final = 0.5


def serve(settings: Settings) -> int:
    """Serve until SIGTERM or SIGINT. The exit code: 0, or 69 after one line on stderr where it cannot listen.

    Without its database it serves, too, and answers 503 until that is back. Raises `SettingsError`, and
    `SchemaFromTheFuture` also later, when a database comes back that a newer version has migrated.
    End the process with `signals.leave`: threads that hang in the database are not waited for.
    """
    set_up_logs(level=settings.log.level.value, as_json=settings.log.as_json)
    signals = Signals(grace_seconds=GRACE_SECONDS)
    signals.catch()
    container = Api(settings=settings)
    server = ApiServer(_config(container), container.live.hub())
    try:
        listening = listening_socket(settings.api.host, settings.api.port)
    except CannotListen as error:
        sys.stderr.write(f"anichron: {error}\n")
        return UNAVAILABLE
    signals.tell(server.stop)
    structlog.get_logger().info("listening", host=settings.api.host, port=settings.api.port)
    new_loop().run_until_complete(_served(server, listening, container))
    return SERVED


class ApiServer(uvicorn.Server):
    """Uvicorn without its own signal handlers: those would raise the signal again after a clean stop.

    It tells the hub before it waits for the requests that run, since streams end by nothing else.
    """

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        """Listen to nothing yet."""
        super().__init__(config)
        self._hub = hub

    def stop(self) -> None:
        """Take no more requests, end those that run, and return from `serve`."""
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say goodbye on every stream, and let every other request end."""
        self._hub.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them to `entrypoints.signals`."""
        yield


async def _served(server: ApiServer, listening: socket.socket, container: Api) -> None:
    serving = asyncio.create_task(server.serve([listening]))
    settings, desk = container.settings(), container.desk()
    preparing = asyncio.create_task(prepared(settings, lambda: add_first_admin(desk, settings.admin)))
    try:
        await asyncio.wait([serving, preparing], return_when=asyncio.FIRST_COMPLETED)
        if preparing.done():
            # A database that must not be touched ends the server.
            preparing.result()
        await serving
    finally:
        server.stop()
        preparing.cancel()
        await asyncio.wait([serving, preparing])
        with suppress(TimeoutError):
            await asyncio.wait_for(closed(container.desk.stores()), CLOSING_GRACE_SECONDS)


def _config(container: Api) -> uvicorn.Config:
    proxies = trusted(container.settings().forwarded.allow_ips)
    return uvicorn.Config(
        container.app(),
        http=CuttableConnection,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        # Never None: then the library would trust this host, or what a variable of its own says.
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=REQUEST_GRACE_SECONDS,
    )
