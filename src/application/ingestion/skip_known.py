"""What makes a second crawl cheap: most files go no way at all."""

from collections.abc import Sequence
from datetime import datetime

from application.ingestion.step import Folder, WantedFile
from application.ports.media_library import MediaLibrary
from domain.media.asset import KnownAsset
from domain.media.file import FoundFile


class SkipKnown:
    """Tells the files that must be read from those whose signature is that of their asset.

    Works on batches: one question and one mark for all unchanged files of a batch, whose bytes are not read.
    With `verify` every file must be read.
    """

    def __init__(self, library: MediaLibrary, folder: Folder, *, verify: bool, seen_at: datetime) -> None:
        """Take the crawl's one time of seeing, by which what was not seen can be told later."""
        self._library = library
        self._folder = folder
        self._verify = verify
        self._seen_at = seen_at

    async def wanted(self, files: Sequence[FoundFile]) -> tuple[WantedFile, ...]:
        """Those that must be read; all others are marked as seen."""
        known = await self._library.known(self._folder.config, [file.path for file in files])
        wanted: list[WantedFile] = []
        unchanged: list[KnownAsset] = []
        for file in files:
            earlier = known.get(file.path)
            if earlier is None or self._verify or earlier.signature != file.signature:
                wanted.append(WantedFile(file, earlier))
            else:
                unchanged.append(earlier)
        if unchanged:
            await self._library.mark_seen(unchanged, at=self._seen_at)
        return tuple(wanted)
