"""How fast a crawl takes photos in, against a bare loop that only decodes, scales and encodes them.

    python benchmarks/crawl.py [--photos 120] [--unchanged 10000] [--concurrent 4] [--children 2]

Makes its own 12-megapixel JPEGs. Rows go to SQLite with every commit on disk, proxies are synced. Each
figure is measured in a process of its own; the bare loop runs before and after the crawl, since a machine
that others use too is not equally fast all the time.
"""

import argparse
import asyncio
import os
import resource
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, timedelta
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ParamSpec, Self, TypeVar

from adapters.filesystem.file_tree import MountedFileTree
from adapters.filesystem.proxy_store import FolderProxyStore
from adapters.media.isolated_renderer import IsolatedRenderer
from adapters.media.wire import DecodeLimits
from adapters.sql.engine import Database
from adapters.sql.live_photos import SqlLivePhotos
from adapters.sql.media_failures import SqlMediaFailures
from adapters.sql.media_library import SqlMediaLibrary
from adapters.sql.migrations import migrate
from adapters.sql.storage_configs import SqlStorageConfigs
from adapters.sql.users import SqlUsers
from adapters.system.clock import SystemClock
from adapters.system.ids import RandomIds
from adapters.system.loops import new_loop
from application.handling import CancelToken
from application.ingestion.ingest import Completed, Ingest
from application.ingestion.step import Folder
from application.ingestion.surroundings import Surroundings
from application.ingestion.tally import Tally
from application.ports.file_tree import OpenFile
from application.ports.image_renderer import Identified, Rendered, Renderers
from domain.ids import StorageConfigId, UserId
from domain.media.content import ContentHash, MediaType
from domain.media.metadata import Metadata

SIZE = (4032, 3024)
PREVIEW, THUMBNAIL = (1920, 1440), (300, 225)
CORES = 2

P = ParamSpec("P")
T = TypeVar("T")
Crawl = Callable[[], Awaitable[Tally]]


@dataclass(frozen=True, slots=True)
class Figures:
    """What one measured run took. Processor time counts all its processes, and hardly minds who else computes."""

    files: int
    seconds: float
    cpu_seconds: float
    worker_mb: float
    child_mb: float

    def __str__(self) -> str:
        rate = f"{self.files / self.seconds:7.1f} files/s"
        return f"{rate}, {1000 * self.cpu_seconds / self.files:6.1f} ms of processor a file"


def main() -> None:
    """Measure, then print."""
    options = options_of_this_run()
    with TemporaryDirectory() as folder:
        work = Path(folder)
        each = apart(make_photos, work / "photos", options.photos)
        before = apart(bare_loop, work / "photos")
        crawled = apart(crawl_photos, work, work / "photos", options)
        after = apart(bare_loop, work / "photos")
        apart(make_small_files, work / "small", options.unchanged)
        known = apart(crawl_unchanged, work, work / "small", options)
    bare_seconds, bare_cpu = before.seconds + after.seconds, before.cpu_seconds + after.cpu_seconds
    print(f"{options.photos} JPEGs of 12 megapixels, {each / 1e6:.1f} MB each")
    print(f"bare loop, {CORES} processes, before   {before}")
    print(f"{options.concurrent} files at once, {options.children} children   {crawled}")
    print(f"bare loop, {CORES} processes, after    {after}")
    print(f"crawl over bare loop            {bare_seconds / 2 / crawled.seconds:7.2f} in files/s")
    print(f"                                {bare_cpu / 2 / crawled.cpu_seconds:7.2f} in processor time")
    print(f"{known.files} unchanged files           {known.seconds:7.2f} s")
    print(
        f"peak memory                     {crawled.worker_mb:7.0f} MB, and {crawled.child_mb:.0f} MB a child"
    )


def options_of_this_run() -> argparse.Namespace:
    """From the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=int, default=120)
    parser.add_argument("--unchanged", type=int, default=10_000)
    parser.add_argument("--concurrent", type=int, default=4)
    parser.add_argument("--children", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def apart(measured: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Run it in a process of its own, so that its memory is its own too."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measured, *args, **options).result()


def make_photos(folder: Path, photos: int) -> int:
    """JPEGs with the detail, and so about the size, of a phone's pictures; each has bytes of its own."""
    from PIL import Image  # noqa: PLC0415 -- the crawl's own process must not pay for it

    bands = [Image.effect_noise((504, 378), 40) for _ in range(3)]
    content = BytesIO()
    Image.merge("RGB", bands).resize(SIZE, Image.Resampling.BICUBIC).save(content, "JPEG", quality=92)
    folder.mkdir()
    for number in range(photos):
        (folder / f"{number:05}.jpg").write_bytes(content.getvalue() + number.to_bytes(4, "big"))
    return len(content.getvalue())


def make_small_files(folder: Path, files: int) -> None:
    """Files that nobody will decode, a hundred in a folder."""
    for number in range(files):
        path = folder / f"{number // 100:03}" / f"{number:05}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\xff\xd8\xff%d" % number)


def bare_loop(folder: Path) -> Figures:
    """Decode at half size, scale twice, encode twice, keep nothing."""
    photos = sorted(folder.iterdir())
    shares = [photos[share::CORES] for share in range(CORES)]
    used = processor_time()
    with ProcessPoolExecutor(CORES, mp_context=get_context("spawn")) as pool:
        list(pool.map(proxies_of, [photos[:2]] * CORES))
        began = time.perf_counter()
        list(pool.map(proxies_of, shares))
        seconds = time.perf_counter() - began
    return figures(len(photos), seconds, used)


def proxies_of(photos: list[Path]) -> None:
    """One process's share of the bare loop."""
    from PIL import Image  # noqa: PLC0415 -- the crawl's own process must not pay for it

    for photo in photos:
        with Image.open(photo) as image:
            image.draft("", PREVIEW)
            preview = image.resize(PREVIEW, Image.Resampling.BICUBIC)
        thumbnail = preview.resize(THUMBNAIL, Image.Resampling.BICUBIC, reducing_gap=2.0)
        preview.save(BytesIO(), "JPEG", quality=85)
        thumbnail.save(BytesIO(), "JPEG", quality=75)


def crawl_photos(work: Path, folder: Path, options: argparse.Namespace) -> Figures:
    """New photos into an empty library."""

    def renderer() -> IsolatedRenderer:
        return IsolatedRenderer(children=options.children, limits=DecodeLimits())

    async def measured() -> Figures:
        async with crawling(work, folder, renderer, options.concurrent) as crawl:
            return await timed(crawl)

    return on_the_loop_of_a_worker(measured)


def crawl_unchanged(work: Path, folder: Path, options: argparse.Namespace) -> Figures:
    """A library whose every file is known and unchanged."""

    async def measured() -> Figures:
        async with crawling(work, folder, Pretence, options.concurrent) as crawl:
            await crawl()
            return await timed(crawl)

    return on_the_loop_of_a_worker(measured)


def on_the_loop_of_a_worker(measured: Callable[[], Coroutine[None, None, Figures]]) -> Figures:
    """As a worker runs its crawls."""
    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(measured())


class Pretence:
    """A renderer that looks at nothing, to fill a library quickly."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Nothing to end."""

    async def identify(self, file: OpenFile) -> Identified:
        digest = file.signature.inode.to_bytes(32, "big", signed=True)
        return Identified(MediaType.JPEG, ContentHash(digest))

    async def render(self, _file: OpenFile, _media_type: MediaType) -> Rendered:
        return Rendered(Metadata(width=1, height=1), date_claims=(), proxies=(), blurhash="")


@asynccontextmanager
async def crawling(work: Path, folder: Path, renderers: Renderers, concurrent: int) -> AsyncIterator[Crawl]:
    """Crawls of one folder into a database that begins empty."""
    url = f"sqlite:///{work / folder.name}.sqlite3"
    migrate(url)
    database, ids = Database(url), RandomIds()
    user, config = UserId(ids.next()), StorageConfigId(ids.next())
    await SqlUsers(database).add(user, name="ada", email="ada@example.org", password_hash="-", is_admin=False)
    await SqlStorageConfigs(database).add(config, user=user, root_path=str(folder))
    library = SqlMediaLibrary(database)
    ingest = Ingest(
        Surroundings(
            tree=MountedFileTree(),
            renderers=renderers,
            proxies=FolderProxyStore(work / "proxies"),
            library=library,
            assets=library,
            live_photos=SqlLivePhotos(database),
            failures=SqlMediaFailures(database),
            new_ids=ids,
            clock=SystemClock(),
            zone=UTC,
            max_concurrent_files=concurrent,
            settle_for=timedelta(0),
        )
    )

    async def crawl() -> Tally:
        outcome = await ingest.run(
            Folder(config, str(folder)), verify=False, stop=CancelToken(), report=lambda _: None
        )
        assert isinstance(outcome, Completed)
        assert outcome.tally.failed == 0, outcome.tally.failed_by_reason
        return outcome.tally

    yield crawl
    await database.close()


async def timed(crawl: Crawl) -> Figures:
    """What one crawl took."""
    began, used = time.perf_counter(), processor_time()
    tally = await crawl()
    seconds = time.perf_counter() - began
    await asyncio.sleep(0.2)  # children that were ended are counted once they are gone
    return figures(tally.found, seconds, used)


def processor_time() -> float:
    """Of this process and the children that have ended."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def figures(files: int, seconds: float, used_before: float) -> Figures:
    """With the processor time and the memory that this process and its children have needed."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return Figures(
        files,
        seconds,
        processor_time() - used_before,
        own.ru_maxrss / 1024,
        children.ru_maxrss / 1024,
    )


if __name__ == "__main__":
    main()
