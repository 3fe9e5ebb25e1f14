"""The step that opens a file and learns which bytes it has."""

from dataclasses import replace
from datetime import datetime

from application.ingestion.step import Failed, FileOutcome, Folder, HashedFile, Step, Unchanged, WantedFile
from application.ports.file_tree import FileTree, NotOpened, OpenFile
from application.ports.image_renderer import Identified, ImageRenderer, Unrenderable
from application.ports.media_library import MediaLibrary


class HashContent:
    """Hashes a file; content that its asset already has ends the way here, undecoded.

    A copied, restored or re-mounted library has new inodes and times but old bytes: it costs a read, not a decode.
    The file stays open while the steps behind this one work.
    """

    def __init__(  # noqa: PLR0913 -- one argument a collaborator
        self,
        tree: FileTree,
        renderer: ImageRenderer,
        library: MediaLibrary,
        folder: Folder,
        *,
        seen_at: datetime,
        successor: Step[HashedFile],
    ) -> None:
        """Take the successor, which gets every file of new content."""
        self._tree = tree
        self._renderer = renderer
        self._library = library
        self._folder = folder
        self._seen_at = seen_at
        self._successor = successor

    async def take(self, record: WantedFile) -> FileOutcome:
        """Open, hash, and pass on what is new."""
        async with self._tree.opened(self._folder.root, record.found.path) as opened:
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
                earlier = record.earlier
                if earlier is not None and earlier.content == identified.content:
                    await self._library.mark_seen(
                        [replace(earlier, signature=opened.signature)], at=self._seen_at
                    )
                    return Unchanged()
                return await self._successor.take(HashedFile(record, opened, identified))
