"""What a video says of itself, taken down without trust. Runs in a decode child."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from adapters.media.apple_note import identifier_of
from domain.media.capture_date import LARGEST_CLAIM, DateClaim, DateSource
from domain.media.place import Place, place_at
from domain.text import clean_text

LARGEST_TEXT: Final = 100

MAKE: Final = ("com.apple.quicktime.make", "com.android.manufacturer", "make")
MODEL: Final = ("com.apple.quicktime.model", "com.android.model", "model")
PLACE: Final = ("com.apple.quicktime.location.iso6709", "location", "location-eng")
IDENTIFIER: Final = ("com.apple.quicktime.content.identifier",)

ISO_6709: Final = re.compile(
    r"(?P<latitude>[+-][0-9]{1,2}(?:\.[0-9]+)?)(?P<longitude>[+-][0-9]{1,3}(?:\.[0-9]+)?)(?:[+-][0-9.]+)?/?.*"
)


@dataclass(frozen=True, slots=True)
class VideoTags:
    """What was found; everything may be missing."""

    place: Place | None
    camera_make: str
    camera_model: str
    content_identifier: str
    date_claims: tuple[DateClaim, ...]


def read_tags(*written: Mapping[str, str]) -> VideoTags:
    """The tags of a container, then of what is in it: the first that says something counts."""
    # Some containers keep names in capital letters.
    metadata = tuple({name.lower(): text for name, text in tags.items()} for tags in written)
    return VideoTags(
        place=_place(_first(metadata, PLACE)),
        camera_make=_name(_first(metadata, MAKE)),
        camera_model=_name(_first(metadata, MODEL)),
        content_identifier=identifier_of(_first(metadata, IDENTIFIER)),
        date_claims=tuple(_dates(metadata)),
    )


def _dates(metadata: tuple[Mapping[str, str], ...]) -> Iterator[DateClaim]:
    for source, name in (
        (DateSource.QUICKTIME, "com.apple.quicktime.creationdate"),
        (DateSource.VIDEO_HEADER, "creation_time"),
    ):
        text = _first(metadata, (name,))
        if text:
            yield DateClaim(source, clean_text(text[:LARGEST_CLAIM].strip(), longest=LARGEST_CLAIM))


def _first(metadata: tuple[Mapping[str, str], ...], names: tuple[str, ...]) -> str:
    found = (tags[name] for tags in metadata for name in names if tags.get(name))
    return next(found, "")


def _name(text: str) -> str:
    return clean_text(" ".join(text[: LARGEST_TEXT * 2].split()), longest=LARGEST_TEXT)


def _place(text: str) -> Place | None:
    found = ISO_6709.fullmatch(text[:LARGEST_TEXT])
    return None if found is None else place_at(float(found["latitude"]), float(found["longitude"]))
