"""The step that settles when a picture was taken."""

from datetime import datetime, tzinfo

from application.ingestion.step import DescribedFile, FileOutcome, RenderedFile, Step
from domain.media.capture_date import capture_date
from domain.media.name_date import claims_of_file


class SettleDate:
    """Weighs the dates of a file's content against those of its name and of the file itself."""

    def __init__(self, *, now: datetime, zone: tzinfo, successor: Step[DescribedFile]) -> None:
        """Take the library's time zone, which makes dates local that are known in UTC only."""
        self._now = now
        self._zone = zone
        self._successor = successor

    async def take(self, record: RenderedFile) -> FileOutcome:
        """Pass on every file, dated or not: a date never fails one."""
        claims = (*record.rendered.date_claims, *claims_of_file(record.hashed.file.found))
        captured = capture_date(claims, now=self._now, zone=self._zone)
        return await self._successor.take(DescribedFile(record.hashed, record.rendered, captured))
