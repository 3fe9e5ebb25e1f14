"""A small library and everything that takes it in: real files, real children, rows in memory."""

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from adapters.filesystem.file_tree import MountedFileTree
from adapters.filesystem.proxy_store import FolderProxyStore
from adapters.memory.database import MemoryDatabase
from adapters.memory.media_library import MemoryMediaFailures, MemoryMediaLibrary
from application.handling import CancelToken
from application.ingestion.ingest import Completed, Ingest, Interrupted
from application.ingestion.step import Folder
from application.ingestion.surroundings import Surroundings
from application.ingestion.tally import Tally
from application.ports.file_tree import OpenFile
from application.ports.image_renderer import Identified, ImageRenderer, Rendered, Unrenderable
from application.ports.media_library import Stretch
from domain.ids import StorageConfigId
from domain.media.asset import MediaAsset
from domain.media.content import ContentHash, MediaType
from domain.media.failure import FailureReason
from domain.media.file import RelativePath, path_text
from domain.media.metadata import Metadata
from tests.support.builders import ids
from tests.support.clock import ManualClock
from tests.support.house import House
from tests.support.ids import CountingIds
from tests.support.memory import a_memory_house
from tests.support.photos import a_jpeg, a_renderer, written

BEGINNING = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Photos:
    """A folder of photos, its library, and the means to bring the one up to date with the other."""

    folder: Folder
    root: Path
    proxies: Path
    house: House
    clock: ManualClock
    library: MemoryMediaLibrary
    failures: MemoryMediaFailures
    surroundings: Surroundings
    stop: CancelToken = field(default_factory=CancelToken)

    def put(self, name: str, content: bytes | None = None) -> Path:
        """A file in the folder: a picture of its own, or this content."""
        return written(self.root / name, a_jpeg(comment=name) if content is None else content)

    async def crawl(
        self,
        *,
        verify: bool = False,
        accept_removals: bool = False,
        report: Callable[[Tally], None] = lambda _: None,
        **others: Any,  # noqa: ANN401 -- the fields of the surroundings
    ) -> Completed | Interrupted:
        """Take the folder in. `others` stand in for the surroundings of the same name."""
        ingest = Ingest(replace(self.surroundings, **others))
        return await ingest.run(
            self.folder, verify=verify, accept_removals=accept_removals, stop=self.stop, report=report
        )

    async def completed(
        self,
        *,
        verify: bool = False,
        accept_removals: bool = False,
        **others: Any,  # noqa: ANN401 -- likewise
    ) -> Tally:
        """The same; asserts that it went through to the end."""
        outcome = await self.crawl(verify=verify, accept_removals=accept_removals, **others)
        assert isinstance(outcome, Completed)
        return outcome.tally

    async def asset(self, name: str) -> MediaAsset | None:
        """What the library has of a file."""
        return await self.library.get(self.folder.config, RelativePath(name.encode()))

    async def known(self, name: str) -> MediaAsset:
        """The same; asserts that it has something."""
        asset = await self.asset(name)
        assert asset is not None
        return asset

    async def failed(self) -> dict[str, str]:
        """The reason of every remembered failure, by its path."""
        rows = await self.failures.known(self.folder.config, Stretch(), limit=1_000)
        return {path_text(row.failed.path): row.failed.reason.value for row in rows}

    @property
    def database(self) -> MemoryDatabase:
        """Where the rows are."""
        assert isinstance(self.house.transactions, MemoryDatabase)
        return self.house.transactions

    def proxy_files(self) -> Mapping[str, int]:
        """Every proxy by its path, with the time it was written."""
        return {
            str(path.relative_to(self.proxies)): path.stat().st_mtime_ns
            for path in sorted(self.proxies.rglob("*"))
            if path.is_file()
        }


async def some_photos(folder: Path, *, max_concurrent_files: int = 2) -> Photos:
    """An empty folder of photos, and everything that it takes to crawl it."""
    clock = ManualClock(BEGINNING)
    house = a_memory_house(clock)
    assert isinstance(house.transactions, MemoryDatabase)
    root, proxies = folder / "photos", folder / "proxies"
    root.mkdir()
    config = StorageConfigId(ids.next())
    await house.storage_configs.add(config, user=await house.a_user(), root_path=str(root))
    library = MemoryMediaLibrary(house.transactions)
    failures = MemoryMediaFailures(house.transactions)
    surroundings = Surroundings(
        tree=MountedFileTree(),
        renderers=lambda: a_renderer(children=2),
        proxies=FolderProxyStore(proxies),
        library=library,
        assets=library,
        live_photos=library,
        failures=failures,
        new_ids=CountingIds(1_000),
        clock=clock,
        zone=UTC,
        max_concurrent_files=max_concurrent_files,
    )
    return Photos(
        folder=Folder(config, str(root)),
        root=root,
        proxies=proxies,
        house=house,
        clock=clock,
        library=library,
        failures=failures,
        surroundings=surroundings,
    )


def counts(tally: Tally) -> dict[str, int]:
    """Every count that is not 0."""
    counted = {
        "found": tally.found,
        "added": tally.added,
        "replaced": tally.replaced,
        "unchanged": tally.unchanged,
        "moved": tally.moved,
        "returned": tally.returned,
        "waiting": tally.waiting,
        "passed-over": tally.passed_over,
        "missing": tally.missing,
        **{reason.value: count for reason, count in tally.failed_by_reason.items()},
    }
    assert tally.processed == tally.found
    return {name: count for name, count in counted.items() if count}


class UnwantedRenderer:
    """Reads nothing: a file that somebody asks it for counts as failed."""

    async def identify(self, file: OpenFile) -> Identified | Unrenderable:
        raise AssertionError(f"a file of {file.signature.size} bytes was to be read")

    async def render(self, file: OpenFile, media_type: MediaType) -> Rendered | Unrenderable:
        raise AssertionError(f"a file of {file.signature.size} bytes was to be decoded as {media_type}")


def no_renderer() -> nullcontext[UnwantedRenderer]:
    """For crawls that must not read."""
    return nullcontext(UnwantedRenderer())


class Labelled:
    """Takes a file for what its first words say: a media type, and a content identifier or a dash.

    It needs no processes and decodes nothing. A media type that there is none of makes a damaged file.
    """

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Nothing to end."""

    async def identify(self, file: OpenFile) -> Identified | Unrenderable:
        content = os.pread(file.descriptor, 1_000, 0)
        media_type = content.split()[0].decode(errors="replace")
        if media_type not in list(MediaType):
            return Unrenderable(FailureReason.DAMAGED)
        return Identified(MediaType(media_type), ContentHash(content[-32:].rjust(32)))

    async def render(self, file: OpenFile, _media_type: MediaType) -> Rendered | Unrenderable:
        identifier = os.pread(file.descriptor, 1_000, 0).split()[1].decode()
        metadata = Metadata(width=1, height=1, content_identifier=identifier.strip("-"))
        return Rendered(metadata, date_claims=(), proxies=(), blurhash="")


def labelled(name: str, media_type: str = "image/jpeg", identifier: str = "-") -> bytes:
    """Content that `Labelled` understands; another name makes another content."""
    return f"{media_type} {identifier} {name}".encode()


@asynccontextmanager
async def a_hasher() -> AsyncIterator["Hasher"]:
    """Children for crawls that are to decode nothing."""
    async with a_renderer() as renderer:
        yield Hasher(renderer)


class Hasher:
    """Hashes, but does not decode: a file to be decoded counts as failed."""

    def __init__(self, renderer: ImageRenderer) -> None:
        self._renderer = renderer

    async def identify(self, file: OpenFile) -> Identified | Unrenderable:
        return await self._renderer.identify(file)

    async def render(self, file: OpenFile, media_type: MediaType) -> Rendered | Unrenderable:
        raise AssertionError(f"{file} was to be decoded as {media_type}")
