"""A line to PostgreSQL that can be made to fail: it passes bytes on, loses a reply, or swallows everything."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import sqlalchemy as sa

CHUNK: Final = 65_536


class Proxy:
    """The client's end is `url`."""

    def __init__(self, server: sa.URL) -> None:
        self._server = server
        self._tasks: set[asyncio.Task[None]] = set()
        self._lost_reply_to: bytes | None = None
        self._is_black_hole = False
        self._connections: list[_Connection] = []
        self.url = ""
        self.replies_lost = 0

    def lose_reply(self, *, to: bytes) -> None:
        """Hang up in place of the reply to the next request that holds these bytes: it has been carried out then."""
        self._lost_reply_to = to

    def swallow(self) -> None:
        """Take whatever comes from either side, and pass nothing on: nobody is told that anything is wrong."""
        self._is_black_hole = True
        for connection in self._connections:
            connection.is_dead = True

    def pass_on(self) -> None:
        """Be a line that works for those who connect from now on; for the others it stays dead."""
        self._is_black_hole = False

    async def serve(self, client_in: StreamReader, client_out: StreamWriter) -> None:
        server_in, server_out = await self._reach_server()
        connection = _Connection()
        connection.is_dead = self._is_black_hole
        self._connections.append(connection)
        ways = [
            asyncio.create_task(self._carry(client_in, server_out, connection, from_client=True)),
            asyncio.create_task(self._carry(server_in, client_out, connection, from_client=False)),
        ]
        self._tasks.update(ways)
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for writer in (client_out, server_out):
            writer.close()
        for way in ways:
            way.cancel()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _carry(
        self, source: StreamReader, sink: StreamWriter, connection: "_Connection", *, from_client: bool
    ) -> None:
        with suppress(ConnectionError):
            while data := await source.read(CHUNK):
                if connection.is_dead:
                    continue
                if from_client:
                    connection.loses_reply |= self._lost_reply_to is not None and self._lost_reply_to in data
                elif connection.loses_reply:
                    self._lost_reply_to = None
                    self.replies_lost += 1
                    return
                sink.write(data)
                await sink.drain()

    async def _reach_server(self) -> tuple[StreamReader, StreamWriter]:
        host = self._server.query.get("host", self._server.host or "localhost")
        assert isinstance(host, str)
        port = self._server.port or int(str(self._server.query.get("port", 5432)))
        if host.startswith("/"):
            return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)


class _Connection:
    loses_reply = False
    is_dead = False


@asynccontextmanager
async def a_proxy(url: str) -> AsyncIterator[Proxy]:
    """A line to this database, on the test's own event loop."""
    server = sa.make_url(url)
    proxy = Proxy(server)
    listener = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    address = server.difference_update_query(["host", "port"]).set(
        host="127.0.0.1", port=listener.sockets[0].getsockname()[1]
    )
    # Encrypted, it could not tell one request from another.
    plain = address.update_query_dict({"sslmode": "disable", "gssencmode": "disable"})
    proxy.url = plain.render_as_string(hide_password=False)
    try:
        yield proxy
    finally:
        listener.close()
        await proxy.close()
        await listener.wait_closed()
