"""When a picture was taken: many claims, one answer. A date can never fail a file.

The wall time is kept as it was written, since "on this day" is the day that the people in the
picture had. An offset, where one is known, stands beside it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import Final

LARGEST_CLAIM: Final = 64
"""Characters of a claim that are looked at."""


class DateSource(StrEnum):
    """Where a date can be found, most trusted first. The date a file was edited is no capture date."""

    EXIF_ORIGINAL = "exif-original"
    EXIF_DIGITIZED = "exif-digitized"
    XMP = "xmp"
    QUICKTIME = "quicktime"
    VIDEO_HEADER = "video-header"
    GPS = "gps"
    FILE_NAME = "file-name"
    MODIFIED = "modified"


TRUST: Final = tuple(DateSource)
OF_THE_FILE: Final = frozenset({DateSource.FILE_NAME, DateSource.MODIFIED})
"""Sources beside the content: what has the same content does not share them, and they change as a file moves."""

WRITTEN_IN_UTC: Final = frozenset(
    {DateSource.VIDEO_HEADER, DateSource.GPS, DateSource.FILE_NAME, DateSource.MODIFIED}
)
"""Sources whose offset only says that they hold no local time: it is made local with the library's zone."""


@dataclass(frozen=True, slots=True)
class DateClaim:
    """A date as a file has it: text, unchecked."""

    source: DateSource
    text: str
    subseconds: str = ""
    offset: str = ""


@dataclass(frozen=True, slots=True)
class CaptureDate:
    """Local day and wall time (to the microsecond), the offset from UTC where known, and who says so."""

    day: date
    wall_time: time
    offset: timedelta | None
    source: DateSource


def capture_date(claims: Iterable[DateClaim], *, now: datetime, zone: tzinfo) -> CaptureDate | None:
    """The believable claim that is trusted most, or None when there is none."""
    for claim in sorted(claims, key=lambda claim: TRUST.index(claim.source)):
        captured = _parse(claim)
        if captured is not None and claim.source in WRITTEN_IN_UTC:
            captured = _localised(captured, zone)
        if captured is not None and is_believable(captured, now=now):
            return captured
    return None


def is_believable(captured: CaptureDate, *, now: datetime) -> bool:
    """Whether somebody can have taken a picture then.

    Before the first photograph, later than tomorrow, and what cameras show whose clock was never set are not.
    """
    instant = datetime.combine(captured.day, captured.wall_time, tzinfo=UTC)
    if captured.day.year < FIRST_PHOTOGRAPH or instant.replace(microsecond=0, tzinfo=None) in FACTORY_DATES:
        return False
    if captured.source in WRITTEN_BY_COMPUTERS and captured.day.year < FIRST_BELIEVABLE_FILE:
        return False
    # An unknown offset counts as none: the day of grace covers every zone.
    return instant - (captured.offset or timedelta()) <= now + timedelta(days=1)


FIRST_PHOTOGRAPH: Final = 1826
FIRST_BELIEVABLE_FILE: Final = 1990
WRITTEN_BY_COMPUTERS: Final = frozenset({DateSource.VIDEO_HEADER, DateSource.MODIFIED})
"""Nobody writes these by hand for a scanned picture: an early one is a clock's zero, 1904 in videos."""

FACTORY_DATES: Final = frozenset(
    datetime.fromisoformat(text)
    for text in ("1970-01-01T00:00:00", "1980-01-01T00:00:00", "2002-12-08T12:00:00")
)

WRITTEN_DATE: Final = re.compile(
    r"(?P<year>[0-9]{4})[:/.-](?P<month>[0-9]{1,2})[:/.-](?P<day>[0-9]{1,2})"
    r"(?:[ T]+(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]+))?)?)?"
    r" *(?P<offset>Z|[+-][0-9]{2}:?[0-9]{2})?"
)
OFFSET: Final = re.compile(r"(?P<sign>[+-])(?P<hours>[0-9]{2}):?(?P<minutes>[0-5][0-9])")
SURROUNDING: Final = " \t\r\n\0"


def _parse(claim: DateClaim) -> CaptureDate | None:
    found = WRITTEN_DATE.fullmatch(claim.text[:LARGEST_CLAIM].strip(SURROUNDING))
    if found is None:
        return None
    try:
        day = date(int(found["year"]), int(found["month"]), int(found["day"]))
        wall_time = time(
            int(found["hour"] or 0),
            int(found["minute"] or 0),
            int(found["second"] or 0),
            _microseconds(claim.subseconds or found["fraction"] or ""),
        )
    except ValueError:
        return None
    return CaptureDate(day, wall_time, _offset(claim.offset or found["offset"] or ""), claim.source)


def _microseconds(digits: str) -> int:
    """`digits` follow a decimal point, so that leading zeros count: "0532" is .0532 s."""
    written = digits[:LARGEST_CLAIM].strip(SURROUNDING)
    return int(written[:6].ljust(6, "0")) if written.isascii() and written.isdigit() else 0


def _offset(text: str) -> timedelta | None:
    written = text[:LARGEST_CLAIM].strip(SURROUNDING)
    if written == "Z":
        return timedelta()
    found = OFFSET.fullmatch(written)
    if found is None or int(found["hours"]) >= 24:  # noqa: PLR2004 -- hours of a day
        return None
    offset = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"]))
    return -offset if found["sign"] == "-" else offset


def _localised(captured: CaptureDate, zone: tzinfo) -> CaptureDate | None:
    """The same instant on the library's own clocks; what has no offset is local already."""
    if captured.offset is None:
        return captured
    try:
        instant = datetime.combine(captured.day, captured.wall_time, tzinfo=UTC) - captured.offset
        local = instant.astimezone(zone)
    except OverflowError:
        return None
    return CaptureDate(local.date(), local.time(), local.utcoffset(), captured.source)
