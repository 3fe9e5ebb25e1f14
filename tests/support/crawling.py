"""A small library and everything that takes it in: real files, real children, rows in memory."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.filesystem.file_tree import MountedFileTree
from adapters.filesystem.proxy_store import FolderProxyStore
from adapters.memory.database import MemoryDatabase
from adapters.memory.media_library import MemoryMediaLibrary
from application.handling import CancelToken
from application.ingestion.ingest import Completed, Ingest, Interrupted, Surroundings
from application.ingestion.step import Folder
from application.ingestion.tally import Tally
from application.ports.file_tree import OpenFile
from application.ports.image_renderer import Identified, Rendered, Unrenderable
from domain.ids import StorageConfigId
from domain.media.asset import MediaAsset
from domain.media.content import MediaType
from domain.media.file import RelativePath
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
    surroundings: Surroundings
    stop: CancelToken = field(default_factory=CancelToken)

    def put(self, name: str, content: bytes | None = None) -> Path:
        """A file in the folder: a picture of its own, or this content."""
        return written(self.root / name, a_jpeg(comment=name) if content is None else content)

    async def crawl(
        self,
        *,
        verify: bool = False,
        report: Callable[[Tally], None] = lambda _: None,
        **others: Any,  # noqa: ANN401 -- the fields of the surroundings
    ) -> Completed | Interrupted:
        """Take the folder in. `others` stand in for the surroundings of the same name."""
        ingest = Ingest(replace(self.surroundings, **others))
        return await ingest.run(self.folder, verify=verify, stop=self.stop, report=report)

    async def completed(self, *, verify: bool = False, **others: Any) -> Tally:  # noqa: ANN401 -- likewise
        """The same; asserts that it went through to the end."""
        outcome = await self.crawl(verify=verify, **others)
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
    surroundings = Surroundings(
        tree=MountedFileTree(),
        renderers=lambda: a_renderer(children=2),
        proxies=FolderProxyStore(proxies),
        library=library,
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
        surroundings=surroundings,
    )


def counts(tally: Tally) -> dict[str, int]:
    """Every count that is not 0."""
    counted = {
        "found": tally.found,
        "added": tally.added,
        "replaced": tally.replaced,
        "unchanged": tally.unchanged,
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
