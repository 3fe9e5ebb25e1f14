"""Dates in file names and file times, as claims beside those that a file's content makes."""

import re
from datetime import UTC, datetime
from typing import Final

from domain.media.capture_date import DateClaim, DateSource
from domain.media.file import FoundFile, file_name

DATE_IN_NAME: Final = re.compile(
    r"(?:^|[^0-9A-Za-z]|^[A-Za-z]{1,12})"
    r"(?P<year>(?:18|19|20)[0-9]{2})(?P<between>[-_.]?)(?P<month>[0-9]{2})(?P=between)(?P<day>[0-9]{2})"
    r"(?:(?:[-_ T.]{0,3}| at )(?P<hour>[0-9]{2})(?P<within>[-_.:]?)(?P<minute>[0-9]{2})(?P=within)(?P<second>[0-9]{2})"
    r"(?P<fraction>[0-9]{3})?)?"
    r"(?![0-9])"
)
"""IMG_20190708_123456, PXL_20210708_123456789, VID-20190708-WA0001, 2019-07-08 12.34.56, ..."""

NAMED_IN_UTC: Final = "PXL_"
"""Pixel phones write UTC into their names; everything else writes the local time."""

NANOSECONDS: Final = 1_000_000_000
LARGEST_TIMESTAMP: Final = 2**34
"""Seconds: beyond this a file time is nonsense, and too large for some clocks' arithmetic."""


def claims_of_file(found: FoundFile) -> tuple[DateClaim, ...]:
    """What a file claims without its content: by its name, and by its own time."""
    claims = (claim_of_name(file_name(found.path)), claim_of_file_time(found.signature.mtime_ns))
    return tuple(claim for claim in claims if claim is not None)


def claim_of_name(name: str) -> DateClaim | None:
    """What a file's name claims, or None when it holds nothing like a date."""
    found = DATE_IN_NAME.search(name)
    if found is None:
        return None
    wall_time = f"{found['hour']}:{found['minute']}:{found['second']}" if found["hour"] else "00:00:00"
    return DateClaim(
        DateSource.FILE_NAME,
        f"{found['year']}:{found['month']}:{found['day']} {wall_time}",
        subseconds=found["fraction"] or "",
        offset="Z" if name.startswith(NAMED_IN_UTC) and found["hour"] else "",
    )


def claim_of_file_time(mtime_ns: int) -> DateClaim | None:
    """What the modification time claims, in UTC, or None when no calendar has it."""
    seconds, nanoseconds = divmod(mtime_ns, NANOSECONDS)
    if not 0 <= seconds < LARGEST_TIMESTAMP:
        return None
    written = datetime.fromtimestamp(seconds, tz=UTC)
    return DateClaim(
        DateSource.MODIFIED,
        f"{written:%Y:%m:%d %H:%M:%S}",
        subseconds=f"{nanoseconds:09d}",
        offset="Z",
    )
