"""The step that opens a file and learns which bytes it has."""

from application.ingestion.step import (
    Failed,
    FileOutcome,
    HashedFile,
    Returned,
    Step,
    Unchanged,
    Visit,
    WantedFile,
)
from application.ports.file_tree import FileTree, NotOpened, OpenFile
from application.ports.image_renderer import Identified, ImageRenderer, Unrenderable
from application.ports.media_library import MediaAssets, MediaLibrary, SeenAgain
from application.ports.proxy_store import ProxyStore
from domain.media.asset import KnownAsset, MediaAsset
from domain.media.content import ContentHash
from domain.media.failure import FailureReason


class Shelves:
    """What a library already has, on its two shelves: rows and proxies."""

    def __init__(self, library: MediaLibrary, assets: MediaAssets, proxies: ProxyStore) -> None:
        """Take what knows of them: two faces of the rows, and the proxies."""
        self.library = library
        self.proxies = proxies
        self._assets = assets

    async def has_proxies(self, visit: Visit, asset: KnownAsset) -> bool:
        """Whether the asset has proxies, and every one of them is where its row says.

        A video that was taken in where nothing could make its poster has none, and may get one now.
        """
        whole = await self._assets.get(visit.folder.config, asset.path)
        return whole is not None and await self._is_whole(whole)

    async def same(self, visit: Visit, content: ContentHash) -> MediaAsset | None:
        """An asset of this content with all its proxies, if there is one."""
        some = await self._assets.of_content(visit.folder.config, content)
        return some if some is not None and await self._is_whole(some) else None

    async def _is_whole(self, asset: MediaAsset) -> bool:
        return bool(asset.proxies) and await self.proxies.holds(asset.proxies)


class HashContent:
    """Hashes a file; content that its asset already has ends the way here, undecoded.

    A copied, restored or re-mounted library has new inodes and times but old bytes: it costs a read, not a decode.
    When everything is to be verified, the content's proxies must be there as well. The file stays open while
    the steps behind this one work.
    """

    def __init__(
        self,
        tree: FileTree,
        renderer: ImageRenderer,
        shelves: Shelves,
        visit: Visit,
        *,
        successor: Step[HashedFile],
    ) -> None:
        """Take the successor, which gets every file of new content."""
        self._tree = tree
        self._renderer = renderer
        self._shelves = shelves
        self._visit = visit
        self._successor = successor

    async def take(self, record: WantedFile) -> FileOutcome:
        """Open, hash, and pass on what is new."""
        async with self._tree.opened(self._visit.folder.root, record.found.path) as opened:
            match opened:
                case NotOpened(reason):
                    return Failed(reason)
                case OpenFile():
                    return await self._hash(record, opened)

    async def _hash(self, record: WantedFile, opened: OpenFile) -> FileOutcome:
        match await self._renderer.identify(opened):
            case Unrenderable(reason):
                return Failed(reason)
            case Identified() as identified:
                # While it was read somebody may have written: then the hash is that of no content at all.
                if await self._tree.signature(opened) != opened.signature:
                    return Failed(FailureReason.CHANGED_WHILE_READ)
                earlier = record.earlier
                if earlier is not None and await self._is_kept(earlier, identified.content):
                    return await self._see_again(earlier, opened)
                return await self._successor.take(HashedFile(record, opened, identified))

    async def _is_kept(self, earlier: KnownAsset, content: ContentHash) -> bool:
        if earlier.content != content:
            return False
        return not self._visit.verify or await self._shelves.has_proxies(self._visit, earlier)

    async def _see_again(self, earlier: KnownAsset, opened: OpenFile) -> FileOutcome:
        if earlier.signature != opened.signature or earlier.is_gone:
            change = SeenAgain(earlier, opened.signature)
            await self._shelves.library.change(self._visit.folder.config, [change], at=self._visit.began_at)
        return Returned() if earlier.is_gone else Unchanged()
