"""The step that spares a decode: what an asset of the same content was found to be, its copy is as well."""

from dataclasses import replace
from datetime import tzinfo

from application.ingestion.hash_content import Shelves
from application.ingestion.step import FileOutcome, HashedFile, Step, Visit
from application.ports.new_ids import NewIds
from domain.media.asset import AssetId, MediaAsset
from domain.media.capture_date import OF_THE_FILE, CaptureDate, capture_date
from domain.media.file import FoundFile
from domain.media.name_date import claims_of_file


class RecallContent:
    """Makes an asset of a file by what the row of the one that it copies says, where that one's proxies are all there.

    Copies end here. When everything is to be verified nothing is recalled.
    """

    def __init__(
        self, shelves: Shelves, new_ids: NewIds, visit: Visit, *, zone: tzinfo, successor: Step[HashedFile]
    ) -> None:
        """Take the successor, which gets every file of content that nobody has."""
        self._shelves = shelves
        self._new_ids = new_ids
        self._visit = visit
        self._zone = zone
        self._successor = successor

    async def take(self, record: HashedFile) -> FileOutcome:
        """Store it, or pass it on."""
        if self._visit.verify:
            return await self._successor.take(record)
        match await self._shelves.same(self._visit, record.identified.content):
            case None:
                return await self._successor.take(record)
            case same:
                return await self._shelves.library.store(self._like(same, record))

    def _like(self, same: MediaAsset, record: HashedFile) -> MediaAsset:
        wanted = record.file
        found = FoundFile(wanted.found.path, record.opened.signature)
        return replace(
            same,
            id=wanted.earlier.id if wanted.earlier is not None else AssetId(self._new_ids.next()),
            path=found.path,
            signature=found.signature,
            captured=self._date(same.captured, found),
            seen_at=self._visit.began_at,
            is_gone=False,
            paired_with=None,
        )

    def _date(self, of_same: CaptureDate | None, found: FoundFile) -> CaptureDate | None:
        if of_same is not None and of_same.source not in OF_THE_FILE:
            return of_same
        return capture_date(claims_of_file(found), now=self._visit.began_at, zone=self._zone)
