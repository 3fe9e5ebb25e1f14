"""What a decoded picture says of itself: EXIF and XMP, taken down without trust. Runs in a decode child."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from PIL import ExifTags, Image

from adapters.media.apple_note import content_identifier
from domain.media.capture_date import LARGEST_CLAIM, DateClaim, DateSource
from domain.media.metadata import Orientation, orientation_of
from domain.media.place import Angle, Place, place_of
from domain.text import clean_text

LARGEST_TEXT: Final = 100
"""Characters of a camera's or a lens's name."""

LARGEST_XMP: Final = 1024 * 1024
PADDING: Final = " \t\r\n\0"

XMP_DATES: Final = (b"exif:DateTimeOriginal", b"photoshop:DateCreated", b"xmp:CreateDate", b"xap:CreateDate")
"""Most trusted first; as attributes or as elements, with the prefixes that everybody uses."""


@dataclass(frozen=True, slots=True)
class Tags:
    """What was found; everything may be missing."""

    orientation: Orientation = Orientation.UPRIGHT
    place: Place | None = None
    camera_make: str = ""
    camera_model: str = ""
    lens_model: str = ""
    content_identifier: str = ""
    date_claims: tuple[DateClaim, ...] = ()


def read_tags(image: Image.Image) -> Tags:
    """The tags of a picture whose pixels have been loaded. What cannot be read is missing, the rest stands.

    Reading before loading would be wrong for PNG: a failed load in there is swallowed, and the next one
    then succeeds with half a picture.
    """
    claims = (*_exif_dates(image), *_xmp_dates(image))
    main, inner = _main_tags(image), _inner_tags(image, ExifTags.IFD.Exif)
    return Tags(
        orientation=orientation_of(main.get(ExifTags.Base.Orientation)),
        place=_place(_inner_tags(image, ExifTags.IFD.GPSInfo)),
        camera_make=_name(main.get(ExifTags.Base.Make)),
        camera_model=_name(main.get(ExifTags.Base.Model)),
        lens_model=_name(inner.get(ExifTags.Base.LensModel)),
        content_identifier=content_identifier(inner.get(ExifTags.Base.MakerNote)),
        date_claims=claims,
    )


def _main_tags(image: Image.Image) -> Mapping[int, Any]:
    try:
        return dict(image.getexif())
    except Exception:  # noqa: BLE001 -- any failure of the reader means that there are no tags
        return {}


def _inner_tags(image: Image.Image, directory: ExifTags.IFD) -> Mapping[int, Any]:
    try:
        return dict(image.getexif().get_ifd(directory))
    except Exception:  # noqa: BLE001 -- the same
        return {}


def _exif_dates(image: Image.Image) -> Iterator[DateClaim]:
    # TIFF-based files may hold these tags in their main directory.
    tags = {**_main_tags(image), **_inner_tags(image, ExifTags.IFD.Exif)}
    for source, text, subseconds, offset in (
        (
            DateSource.EXIF_ORIGINAL,
            ExifTags.Base.DateTimeOriginal,
            ExifTags.Base.SubsecTimeOriginal,
            ExifTags.Base.OffsetTimeOriginal,
        ),
        (
            DateSource.EXIF_DIGITIZED,
            ExifTags.Base.DateTimeDigitized,
            ExifTags.Base.SubsecTimeDigitized,
            ExifTags.Base.OffsetTimeDigitized,
        ),
    ):
        if text in tags:
            yield DateClaim(
                source, _claim(tags[text]), _claim(tags.get(subseconds)), _claim(tags.get(offset))
            )
    yield from _gps_date(_inner_tags(image, ExifTags.IFD.GPSInfo))


def _gps_date(tags: Mapping[int, Any]) -> Iterator[DateClaim]:
    """The satellites' date and time of day, which is UTC."""
    day = _claim(tags.get(ExifTags.GPS.GPSDateStamp))
    try:
        hour, minute, second = (int(part) for part in tags.get(ExifTags.GPS.GPSTimeStamp, ()))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        return
    if day:
        yield DateClaim(
            DateSource.GPS, f"{day} {hour:02d}:{minute:02d}:{second:02d}"[:LARGEST_CLAIM], offset="Z"
        )


def _xmp_dates(image: Image.Image) -> Iterator[DateClaim]:
    packet = image.info.get("xmp")
    if not isinstance(packet, bytes):
        return
    for name in XMP_DATES:
        found = re.search(name + rb"""\s*(?:=\s*["']|>)\s*([0-9T:.+Z -]{8,40})""", packet[:LARGEST_XMP])
        if found is not None:
            yield DateClaim(DateSource.XMP, found[1].decode("ascii"))


def _place(tags: Mapping[int, Any]) -> Place | None:
    try:
        return place_of(
            _angle(tags, ExifTags.GPS.GPSLatitude, ExifTags.GPS.GPSLatitudeRef),
            _angle(tags, ExifTags.GPS.GPSLongitude, ExifTags.GPS.GPSLongitudeRef),
        )
    except Exception:  # noqa: BLE001 -- tags of any type and shape: what is no place is none
        return None


def _angle(tags: Mapping[int, Any], value: int, direction: int) -> Angle:
    return Angle(tuple(float(part) for part in tags[value]), _claim(tags.get(direction)))


def _name(value: object) -> str:
    one_line = " ".join(_text(value)[: LARGEST_TEXT * 2].strip(PADDING).split())
    return clean_text(one_line, longest=LARGEST_TEXT)


def _claim(value: object) -> str:
    return clean_text(_text(value)[:LARGEST_CLAIM].strip(PADDING), longest=LARGEST_CLAIM)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return value.decode("latin-1") if isinstance(value, bytes) else ""
