"""How long a sweep of a large proxies folder takes, and the deletion of half of what it finds.

    python benchmarks/sweep.py [--proxies 100000] [--few 10000] [--url postgresql://...]

Two proxies for each content, each content with a folder of its own; one file in a hundred has no row. Rows go to
SQLite, or to the empty database at `--url`. Each size is swept in a process of its own, which tells its peak memory:
it should not grow with the folder. Processor time hardly minds who else computes. Every finding and every deleted file is compared with what was made.
"""

import argparse
import asyncio
import os
import resource
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ParamSpec, TypeVar

import sqlalchemy as sa

from adapters.filesystem.proxy_folder import MountedProxyFolder
from adapters.sql.engine import Database
from adapters.sql.known_proxies import SqlKnownProxies
from adapters.sql.media_tables import media_assets, media_proxies
from adapters.sql.migrations import migrate
from adapters.sql.storage_configs import SqlStorageConfigs
from adapters.sql.stores import work_store
from adapters.sql.sweep_findings import SqlSweepFindings
from adapters.sql.tables import users, work_items
from adapters.sql.users import SqlUsers
from adapters.system.clock import SystemClock
from adapters.system.ids import RandomIds
from application.handlers.proxy_deletion import ProxyDeletionHandler
from application.handlers.proxy_sweep import ProxySweepHandler
from application.handling import Run
from domain.attempt import RunId
from domain.ids import Attempt, JsonText, StorageConfigId, UserId, WorkItemId
from domain.kinds.kind import WorkKind
from domain.kinds.proxy_deletion import ProxyDeletionPayload
from domain.kinds.proxy_sweep import ProxySweepPayload
from domain.media.content import ContentHash
from domain.media.proxy import ProxyKind, shard
from domain.media.proxy_finding import FindingKind
from domain.work_item import NewWorkItem

ONE_IN = 100
"""So many files for each without a row."""

SIZE = 16
OLD = timedelta(hours=2)
BATCH = 5_000

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Figures:
    """What one sweep, and the deletion of half of what it found, took."""

    found: frozenset[str]
    sweep_seconds: float
    sweep_cpu_seconds: float
    sweep_mb: float
    chosen: frozenset[str]
    deletion_seconds: float


def main() -> None:
    """Measure, then print."""
    options = options_of_this_run()
    for proxies in (options.few, options.proxies):
        with TemporaryDirectory() as folder:
            root, url = Path(folder) / "proxies", options.url or f"sqlite:///{folder}/anichron.sqlite3"
            config = apart(filled, url, root, proxies)
            before = apart(files_below, root)
            figures = apart(measured, url, root, config)
            after = apart(files_below, root)
        is_exact = figures.found == {path for path in before if is_orphaned(path)}
        is_gone = after == before - figures.chosen
        print(
            f"{proxies:7} proxies   swept in {figures.sweep_seconds:6.2f} s ({figures.sweep_cpu_seconds:.2f} s of processor), "
            f"{figures.sweep_mb:.0f} MB more at the peak; found {'exactly' if is_exact else 'NOT exactly'} the {len(figures.found)} orphans\n"
            f"{len(figures.chosen):7} orphans   deleted in {figures.deletion_seconds:4.2f} s; "
            f"{'exactly' if is_gone else 'NOT exactly'} those are gone"
        )
        if options.url:
            apart(emptied, url)


def options_of_this_run() -> argparse.Namespace:
    """From the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--proxies", type=int, default=100_000)
    parser.add_argument("--few", type=int, default=10_000)
    parser.add_argument("--url")
    return parser.parse_args()


def apart(measured: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Run it in a process of its own, so that its memory is its own too."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measured, *args, **options).result()


def filled(url: str, root: Path, proxies: int) -> StorageConfigId:
    """Files and rows of one library; tells its config."""
    migrate(url)
    ids = RandomIds()
    user, config = UserId(ids.next()), StorageConfigId(ids.next())
    contents = list(contents_of(proxies))
    old = (time.time() - OLD.total_seconds(),) * 2
    for content in contents:
        for path in paths_of(config, content):
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(bytes(SIZE))
            os.utime(file, old)

    async def write() -> None:
        async with opened(url) as database:
            await SqlUsers(database).add(
                user, name="ada", email="ada@example.org", password_hash="-", is_admin=False
            )
            await SqlStorageConfigs(database).add(config, user=user, root_path="/photos")
            known = [content for content in contents if not is_orphaned(shard(config, content))]
            for start in range(0, len(known), BATCH):
                await insert(database, config, known[start : start + BATCH])

    asyncio.run(write())
    return config


def contents_of(proxies: int) -> Iterator[ContentHash]:
    """Half as many contents as proxies, spread over the shards as hashes are. The end says which it is."""
    for number in range(proxies // 2):
        digest = sha256(number.to_bytes(4, "big")).digest()
        yield ContentHash(digest[:28] + number.to_bytes(4, "big"))


def is_orphaned(path: str) -> bool:
    """Whether the proxies of this content have no rows."""
    folder = path.split("/")[1]
    return int(folder[-8:], 16) % ONE_IN == 0


def paths_of(config: StorageConfigId, content: ContentHash) -> list[str]:
    """Where its proxies are."""
    return [f"{shard(config, content)}/{kind}.jpg" for kind in ProxyKind]


async def insert(database: Database, config: StorageConfigId, contents: list[ContentHash]) -> None:
    """The rows of an asset for each content."""
    now, ids = SystemClock().now(), RandomIds()
    assets = {ids.next(): content for content in contents}
    rows = [
        {
            "id": asset,
            "storage_config_id": config,
            "file_path": content.hexadecimal.encode(),
            "file_name": content.hexadecimal,
            "content_hash": content.digest,
            **dict.fromkeys(("size", "mtime_ns", "ctime_ns", "inode"), 1),
            "media_type": "image/jpeg",
            "is_soft_deleted": False,
            "first_seen_at": now,
            "last_seen_at": now,
        }
        for asset, content in assets.items()
    ]
    proxies = [
        {
            "asset_id": asset,
            "proxy_type": kind.value,
            "path": path,
            **dict.fromkeys(("size", "width", "height"), SIZE),
            "created_at": now,
        }
        for asset, content in assets.items()
        for kind, path in zip(ProxyKind, paths_of(config, content), strict=True)
    ]

    def work(connection: sa.Connection) -> None:
        connection.execute(sa.insert(media_assets), rows)
        connection.execute(sa.insert(media_proxies), proxies)

    await database.write(work)


def measured(url: str, root: Path, config: StorageConfigId) -> Figures:
    """Sweep, then delete every second thing found."""

    async def work() -> Figures:
        async with opened(url) as database:
            findings, item = SqlSweepFindings(database), await a_work_item(database)
            ports = MountedProxyFolder(root), SqlKnownProxies(database), findings, SystemClock()
            run, memory = RunId(item, Attempt(1)), peak_mb()
            began, used = time.perf_counter(), time.process_time()
            await ProxySweepHandler(*ports).handle(Run(run, ProxySweepPayload()))
            sweep_seconds, sweep_cpu_seconds = time.perf_counter() - began, time.process_time() - used
            sweep_mb = peak_mb() - memory
            found = await findings.page(run, kinds=frozenset(FindingKind), limit=1_000_000)
            chosen = found[::2]
            numbers = tuple(finding.number for finding in chosen)
            payload = ProxyDeletionPayload(item, attempt=1, owners=(config,), findings=numbers)
            began = time.perf_counter()
            await ProxyDeletionHandler(*ports).handle(Run(run, payload))
            return Figures(
                found=frozenset(finding.path for finding in found),
                sweep_seconds=sweep_seconds,
                sweep_cpu_seconds=sweep_cpu_seconds,
                sweep_mb=sweep_mb,
                chosen=frozenset(finding.path for finding in chosen),
                deletion_seconds=time.perf_counter() - began,
            )

    return asyncio.run(work())


async def a_work_item(database: Database) -> WorkItemId:
    """A sweep to find things for."""
    item = WorkItemId(RandomIds().next())
    await work_store(database).insert(
        NewWorkItem(
            id=item,
            kind=WorkKind.PROXY_SWEEP.row_name,
            payload=JsonText("{}"),
            storage_config_id=None,
            dedup_key=None,
            requested_by=None,
        )
    )
    return item


def files_below(root: Path) -> set[str]:
    """Every file."""
    return {
        f"{Path(folder).relative_to(root)}/{name}" for folder, _, names in os.walk(root) for name in names
    }


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """The database, for a while."""
    database = Database(url)
    try:
        yield database
    finally:
        await database.close()


def emptied(url: str) -> None:
    """Make room for the next size."""

    async def work() -> None:
        async with opened(url) as database:
            for table in (work_items, users):
                await database.write(
                    lambda connection, table=table: connection.execute(sa.delete(table)).close()
                )

    asyncio.run(work())


def peak_mb() -> float:
    """The most that this process has had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
