"""The step that settles when a picture was taken."""

from datetime import datetime, tzinfo

from application.ingestion.step import DescribedFile, FileOutcome, RenderedFile, Step
from domain.media.capture_date import DateClaim, capture_date
from domain.media.file import FoundFile, file_name
from domain.media.name_date import claim_of_file_time, claim_of_name


class SettleDate:
    """Weighs the dates of a file's content against those of its name and of the file itself."""

    def __init__(self, *, now: datetime, zone: tzinfo, successor: Step[DescribedFile]) -> None:
        """Take the library's time zone, which makes dates local that are known in UTC only."""
        self._now = now
        self._zone = zone
        self._successor = successor

    async def take(self, record: RenderedFile) -> FileOutcome:
        """Pass on every file, dated or not: a date never fails one."""
        claims = (*record.rendered.date_claims, *_claims_of_file(record.hashed.file.found))
        captured = capture_date(claims, now=self._now, zone=self._zone)
        return await self._successor.take(DescribedFile(record.hashed, record.rendered, captured))


def _claims_of_file(found: FoundFile) -> tuple[DateClaim, ...]:
    claims = (claim_of_name(file_name(found.path)), claim_of_file_time(found.signature.mtime_ns))
    return tuple(claim for claim in claims if claim is not None)
