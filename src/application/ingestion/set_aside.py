"""The step that sees that a new file may be an old one in another place."""

from application.ingestion.step import FileOutcome, HashedFile, SetAside, Step, Visit, WantedFile
from application.ports.media_library import MediaLibrary
from domain.media.content import ContentHash
from domain.media.file import FoundFile
from domain.media.moves import Arrival


class SetAsideMoved:
    """Sets a new file aside whose content an asset already has.

    Only when the walk is over is it known whether that asset's own file is gone: then the file was moved;
    otherwise it is a copy.
    """

    def __init__(self, library: MediaLibrary, visit: Visit, *, successor: Step[HashedFile]) -> None:
        """Take the successor, which gets every file of content that nobody has."""
        self._library = library
        self._visit = visit
        self._successor = successor
        self._files: dict[WantedFile, ContentHash] = {}

    @property
    def arrivals(self) -> tuple[Arrival, ...]:
        """Every file set aside, with its content."""
        return tuple(Arrival(file.found, content) for file, content in self._files.items())

    @property
    def files(self) -> tuple[WantedFile, ...]:
        """The same as they came."""
        return tuple(self._files)

    async def take(self, record: HashedFile) -> FileOutcome:
        """Set it aside, or pass it on."""
        content = record.identified.content
        if record.file.earlier is None and await self._library.holds(self._visit.folder.config, content):
            found = record.file.found
            as_read = WantedFile(FoundFile(found.path, record.opened.signature), None, record.file.failed)
            self._files[as_read] = content
            return SetAside()
        return await self._successor.take(record)
