"""How fast the API answers over HTTP, with few items and many: pages, counts and one item.

    python benchmarks/api.py [--few 10000] [--many 1000000] [--clients 8] [--seconds 5]

A process of the API on a PostgreSQL of its own, asked by some clients at once that each wait for their answer; all
of them share this machine. Not a timed test: it prints a table, with ratios.
"""

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from statistics import quantiles
from typing import Any, LiteralString

import httpx
import psycopg
from feed import ACCOUNTS, CONFIG, CONFIGS, ITEMS, ME, RARELY, SMALL_CONFIG
from server import a_migrated_database

from adapters.identity.tokens import JwtTokens
from adapters.system.clock import SystemClock
from domain.ids import UserId

# Other benchmarks read no rows: theirs lack what every row has.
WHOLE: LiteralString = """
    UPDATE work_items SET claimed_by = 'all@nas#1', started_at = requested_at, attempt = 1,
        result = CASE WHEN status = 'succeeded' THEN '{"found":1204,"processed":1204}'::json END,
        error = CASE WHEN status = 'failed' THEN 'The folder cannot be read.' END,
        error_code = CASE WHEN status = 'failed' THEN 'root-unreadable' END,
        cancel_requested_at = CASE WHEN status = 'cancelled' THEN now() END
    WHERE status <> 'queued'
"""
SECRET = "a-benchmark-is-no-place-for-secrets-" * 2
PAGES = "/api/v1/admin/work-items"
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Answers a second, and how long one takes."""

    per_second: float
    middle: float
    p99: float

    def __str__(self) -> str:
        return f"{self.per_second:7.0f}/s {self.middle:7.1f} /{self.p99:7.1f} ms"


async def main() -> None:
    """Print each figure for few items and for many, and the ratio of the medians."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--few", type=int, default=10_000)
    parser.add_argument("--many", type=int, default=1_000_000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    few, many = [await measured(count, options) for count in (options.few, options.many)]
    print(
        f"{'answers a second, median / p99':28} {options.few:>28,} {options.many:>28,}   ratio of the medians"
    )
    for name, small in few.items():
        print(f"{name:28} {small!s:>28} {many[name]!s:>28}   {many[name].middle / small.middle:5.2f}")


async def measured(items: int, options: argparse.Namespace) -> dict[str, Pace]:
    """How the API keeps pace with so many items."""
    with a_migrated_database() as url:
        some_item = filled(url, items)
        with serving(url) as address:
            token = JwtTokens(SystemClock(), secret=SECRET, issuer="anichron", audience="anichron")
            headers = {"Authorization": f"Bearer {token.issue(UserId(ME), lasts=timedelta(hours=1)).text}"}
            async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60) as client:
                page = (await client.get(PAGES)).json()
                paths = {
                    "nothing (livez)": "/api/v1/livez",
                    "page of 50": PAGES,
                    "page of 200": f"{PAGES}?limit=200",
                    "next page": f"{PAGES}?cursor={page['nextCursor']}",
                    "failed and running": f"{PAGES}?status=failed&status=running",
                    "counts": f"{PAGES}/counts",
                    "one item": f"{PAGES}/{some_item}",
                }
                return {name: await pace(client, path, options) for name, path in paths.items()}


async def pace(client: httpx.AsyncClient, path: str, options: argparse.Namespace) -> Pace:
    """Ask for this, over and over, by several at once."""
    took: list[float] = []
    until = time.perf_counter() + options.seconds

    async def ask() -> None:
        while time.perf_counter() < until:
            began = time.perf_counter()
            response = await client.get(path)
            took.append((time.perf_counter() - began) * 1000)
            assert response.status_code == httpx.codes.OK, response.text

    began = time.perf_counter()
    await asyncio.gather(*(ask() for _ in range(options.clients)))
    cuts = quantiles(took, n=100)
    return Pace(len(took) / (time.perf_counter() - began), cuts[49], cuts[98])


def filled(url: str, items: int) -> str:
    """Fill the database, as other benchmarks do; the id of one item."""
    values: dict[str, Any] = {
        "users": [ME, RARELY],
        "user": ME,
        "configs": [CONFIG, SMALL_CONFIG],
        "large": CONFIG,
        "small": SMALL_CONFIG,
        "rarely": RARELY,
        "me": ME,
        "items": items,
    }
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        for statement in (ACCOUNTS, CONFIGS, ITEMS):
            connection.execute(statement, values)
        connection.execute("UPDATE users SET is_admin = true")
        connection.execute("SET session_replication_role = replica")
        connection.execute(WHOLE)
        connection.execute("VACUUM ANALYZE")
        row = connection.execute("SELECT id FROM work_items LIMIT 1").fetchone()
    assert row is not None
    return str(row[0])


@contextmanager
def serving(url: str) -> Iterator[str]:
    """An API on this database, in a process of its own: its address, once it answers."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    environment = {
        "DATABASE_URL": url,
        "JWT__SECRET": SECRET,
        "API__PORT": str(port),
        "LOG__LEVEL": "warning",
    }
    command = [sys.executable, "-m", "entrypoints", "api"]
    process = subprocess.Popen(command, env={**os.environ, **environment})  # noqa: S603 -- this very program
    try:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not answers(address):
            assert time.monotonic() < deadline, "the API does not answer"
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def answers(address: str) -> bool:
    """Whether the API can work."""
    try:
        return httpx.get(f"{address}/api/v1/healthz").status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


if __name__ == "__main__":
    asyncio.run(main())
