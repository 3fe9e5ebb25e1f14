"""What the live stream costs with 500 subscribers, and with one: statements, memory, and how soon the last is told.

    python benchmarks/stream.py [--subscribers 500] [--seconds 30]

The API is a process of its own, over PostgreSQL as it comes, at its usual pace of a look in two seconds; the clients
are sockets of this process. Statements are counted by the database. Not a timed test: it prints a table.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
from dependency_injector import providers
from server import a_migrated_database

from adapters.identity.tokens import JwtTokens
from adapters.sql.engine import Database
from adapters.sql.stores import work_store
from adapters.sql.users import SqlUsers
from adapters.system.clock import SystemClock
from adapters.system.ids import RandomIds
from application.live.options import LiveOptions
from application.ports.change_feed import ChangeFeed
from domain.feed import Changes, FeedAnswer, FeedCursor, Rest
from domain.ids import JsonText, KindName, UserId, WorkItemId
from domain.work_item import NewWorkItem

SECRET = "a-secret-of-a-benchmark-" * 3
STREAM = "/api/v1/admin/work-items/stream"
CHANGES = 10
"""Changes whose way to the last subscriber is timed."""

ROWS = (
    "statements a minute",
    "memory, KiB",
    "last told after, ms",
    "at worst, ms",
    "computing a change, ms",
)

SETTLING_SECONDS = 12
"""The database's own figures are that old at most."""

SERVE = "--serve"


def main() -> None:
    """Measure, or be the API that is measured."""
    if sys.argv[1:2] == [SERVE]:
        serve(sys.argv[2])
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--subscribers", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=30)
    arguments = parser.parse_args()
    with a_migrated_database() as url, an_api(url) as api:
        asyncio.run(measured(api, arguments.subscribers, arguments.seconds))


def serve(url: str) -> None:
    """The API with room for everybody, which says when a look has found something."""
    # Only the API knows all of these, and only it is to be weighed with them.
    from entrypoints import api  # noqa: PLC0415
    from entrypoints.settings.loading import load  # noqa: PLC0415

    whole = api.Api

    def roomy(**dependencies: Any) -> Any:  # noqa: ANN401 -- a container
        container = whole(**dependencies)
        container.live.options.override(
            providers.Object(LiveOptions(most_streams=2_000, most_streams_of_user=2_000))
        )
        feed = providers.Singleton(TimedFeed, container.desk.stores.feed)
        container.live.parts.add_kwargs(feed=feed)
        return container

    api.Api = roomy
    os._exit(api.serve(load({**os.environ, "DATABASE_URL": url}).settings))


class TimedFeed(ChangeFeed):
    """The feed; it prints when it has found something, on the clock that all processes share."""

    def __init__(self, feed: ChangeFeed) -> None:
        """Take the real one."""
        self._feed = feed

    async def here(self) -> FeedCursor:
        """As the real one."""
        return await self._feed.here()

    async def since(self, cursor: FeedCursor, *, limit: int) -> FeedAnswer:
        """As the real one, and say when."""
        answer = await self._feed.since(cursor, limit=limit)
        if isinstance(answer, Changes) and answer.items:
            print(time.monotonic(), flush=True)
        return answer

    async def rest(self, rest: Rest, *, limit: int) -> Changes:
        """As the real one."""
        return await self._feed.rest(rest, limit=limit)


@dataclass(frozen=True, slots=True)
class Api:
    """The process that is measured."""

    url: str
    port: int
    process: "subprocess.Popen[str]"

    def memory_kib(self) -> float:
        """What it has in memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024

    def cpu_seconds(self) -> float:
        """How long it has computed, which other processes on the machine have no part in."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def found_at(self) -> float:
        """When the next look has found something."""
        assert self.process.stdout is not None
        return float(await asyncio.to_thread(self.process.stdout.readline))


@contextmanager
def an_api(url: str) -> Iterator[Api]:
    """An API on this database."""
    port = 18_080
    own = {**os.environ, "API__PORT": str(port), "JWT__SECRET": SECRET, "LOG__LEVEL": "error"}
    command = [sys.executable, __file__, SERVE, url]
    with subprocess.Popen(  # noqa: S603 -- this very file
        command, env=own, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Api(url, port, process)
        finally:
            process.terminate()


class Subscriber(asyncio.Protocol):
    """A client that only notes when it was told of an item."""

    def __init__(self, token: str) -> None:
        """Take what opens the door."""
        self._token = token
        self.is_synced = asyncio.Event()
        self.told_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        head = f"GET {STREAM} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {self._token}\r\n\r\n"
        transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        """Note it."""
        if b"event: item" in data:
            self.told_at = time.monotonic()
        if b"event: sync" in data:
            self.is_synced.set()


async def measured(api: Api, subscribers: int, seconds: int) -> None:
    """Print everything, for one subscriber and for all."""
    await until_it_answers(api)
    database = Database(api.url)
    store, ids = work_store(database), RandomIds()
    token = await an_admins_token(database)

    async def change() -> None:
        await store.insert(a_crawl(ids))

    print(f"{'':24}{'1 subscriber':>16}{f'{subscribers} subscribers':>20}")
    rows: dict[str, list[float]] = {name: [] for name in ROWS}
    clients: list[Subscriber] = []
    for count in (1, subscribers):
        clients += await joined(api, token, count - len(clients))
        rows["statements a minute"].append(await statements_a_minute(api, seconds))
        computed = api.cpu_seconds()
        delays = [await told_after(api, clients, change) for _ in range(CHANGES)]
        rows["last told after, ms"].append(1000 * median(delays))
        rows["at worst, ms"].append(1000 * max(delays))
        rows["computing a change, ms"].append(1000 * (api.cpu_seconds() - computed) / CHANGES)
        rows["memory, KiB"].append(api.memory_kib())
    for name, (one, many) in rows.items():
        print(f"{name:24}{one:16.0f}{many:20.0f}")
    one, many = rows["memory, KiB"]
    print(f"{'a subscriber, KiB':24}{'':16}{(many - one) / (subscribers - 1):20.1f}")
    await database.close()


def a_crawl(ids: RandomIds) -> NewWorkItem:
    """Work that nobody does."""
    return NewWorkItem(id=WorkItemId(ids.next()), kind=KindName("crawl"), payload=JsonText("{}"))


async def until_it_answers(api: Api) -> None:
    """Wait for the process to listen."""
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", api.port)
        except OSError:
            assert api.process.poll() is None
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return


async def an_admins_token(database: Database) -> str:
    """The token of somebody who may listen."""
    user = UserId(RandomIds().next())
    await SqlUsers(database).add(user, name="a", email="a@b", password_hash="-", is_admin=True)
    tokens = JwtTokens(SystemClock(), secret=SECRET, issuer="anichron", audience="anichron")
    return tokens.issue(user, lasts=timedelta(hours=1)).text


async def joined(api: Api, token: str, count: int) -> list[Subscriber]:
    """So many more subscribers, each of them told that it is up to date."""
    loop = asyncio.get_running_loop()
    clients = []
    for _ in range(count):
        _, client = await loop.create_connection(lambda: Subscriber(token), "127.0.0.1", api.port)
        await client.is_synced.wait()
        clients.append(client)
    return clients


async def statements_a_minute(api: Api, seconds: int) -> float:
    """How many the database has counted; each is a transaction of its own."""
    await asyncio.sleep(SETTLING_SECONDS)
    before = transactions(api.url)
    await asyncio.sleep(seconds)
    return (transactions(api.url) - before - 1) * 60 / seconds


def transactions(url: str) -> int:
    """How many have ended so far, this look included."""
    with psycopg.connect(url) as connection:
        query = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()"
        row = connection.execute(query).fetchone()
        assert row is not None
        return int(row[0])


async def told_after(api: Api, clients: list[Subscriber], change: Any) -> float:  # noqa: ANN401 -- a function
    """From the end of the look that found a change, until the last client was told of it."""
    changed_at = time.monotonic()
    await change()
    found_at = await api.found_at()
    while min(client.told_at for client in clients) < changed_at:  # noqa: ASYNC110 -- a look costs little
        await asyncio.sleep(0.01)
    return max(client.told_at for client in clients) - found_at


if __name__ == "__main__":
    main()
