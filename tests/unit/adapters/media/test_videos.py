"""What becomes of videos, with PyAV and without."""

import random
from collections.abc import AsyncIterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image

from adapters.media.film_boxes import read_film
from adapters.media.isolated_renderer import IsolatedRenderer
from adapters.media.wire import DecodeLimits
from application.ports.image_renderer import Identified, Rendered, Unrenderable
from domain.media.capture_date import DateClaim, DateSource
from domain.media.content import MediaType
from domain.media.failure import FailureReason
from domain.media.metadata import Metadata, Orientation
from domain.media.place import Place
from domain.media.proxy import ProxyKind
from tests.support.photos import (
    BLUE,
    GREEN,
    REAL_PHOTOS,
    RED,
    YELLOW,
    a_renderer,
    corner_colours,
    four_corners,
    identified,
    opened_proxy,
    rendered,
    rounded,
    well_rendered,
    written,
)
from tests.support.videos import a_sound, a_video, turned

PHONES_TAGS = {
    "com.apple.quicktime.creationdate": "2020-05-04T18:39:11-0400",
    "com.apple.quicktime.content.identifier": "1745e022-9712-43c7-b024-f308ec6413cb",
    "com.apple.quicktime.location.ISO6709": "+48.8577+002.2950+035.000/",
    "com.apple.quicktime.make": "Apple",
    "com.apple.quicktime.model": "iPhone 11 Pro\n",
    "creation_time": "2020-05-04T22:39:12.000000Z",
}
FILM = a_video(tags=PHONES_TAGS)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def renderer() -> AsyncIterator[IsolatedRenderer]:
    async with a_renderer() as one:
        yield one


@pytest.fixture
def video(tmp_path: Path) -> Path:
    return tmp_path / "video"


@pytest.mark.parametrize(
    ("container", "codec", "media_type"),
    [
        ("mov", "mpeg4", MediaType.QUICKTIME),
        ("mp4", "libx264", MediaType.MP4),
        ("avi", "mpeg4", MediaType.AVI),
        ("matroska", "libx264", MediaType.MATROSKA),
        ("asf", "wmv2", MediaType.WMV),
    ],
)
async def test_every_kind_of_video_gets_a_poster_and_its_measures(
    renderer: IsolatedRenderer, video: Path, container: str, codec: str, media_type: MediaType
) -> None:
    written(video, a_video(container, codec))

    found = await identified(renderer, video)
    assert isinstance(found, Identified)
    assert found.media_type is media_type
    film = await well_rendered(renderer, video)
    assert film.metadata == Metadata(width=320, height=160, duration=timedelta(seconds=2))
    assert [(proxy.kind, proxy.width, proxy.height) for proxy in film.proxies] == [
        (ProxyKind.THUMBNAIL, 300, 150),
        (ProxyKind.PREVIEW, 320, 160),
    ]
    assert corner_colours(opened_proxy(film)) == (RED, GREEN, BLUE, YELLOW)
    assert len(film.blurhash) == 28


@pytest.mark.parametrize(
    ("degrees", "stored_by", "orientation"),
    [
        (0, None, 1),
        (90, Image.Transpose.ROTATE_90, 6),
        (180, Image.Transpose.ROTATE_180, 3),
        (270, Image.Transpose.ROTATE_270, 8),
    ],
)
async def test_a_video_is_shown_as_its_track_is_to_be_turned(
    renderer: IsolatedRenderer,
    video: Path,
    degrees: int,
    stored_by: Image.Transpose | None,
    orientation: int,
) -> None:
    upright = four_corners((320, 160))
    stored = upright if stored_by is None else upright.transpose(stored_by)

    film = await well_rendered(renderer, written(video, turned(a_video(pictures=[stored] * 5), degrees)))

    assert corner_colours(opened_proxy(film)) == (RED, GREEN, BLUE, YELLOW)
    assert (film.metadata.width, film.metadata.height) == (320, 160)
    assert film.metadata.orientation == Orientation(orientation)


async def test_the_poster_is_not_the_black_beginning(renderer: IsolatedRenderer, video: Path) -> None:
    black = Image.new("RGB", (320, 160))

    film = await well_rendered(
        renderer, written(video, a_video(pictures=[black] * 4 + [four_corners((320, 160))] * 36))
    )

    assert corner_colours(opened_proxy(film)) == (RED, GREEN, BLUE, YELLOW)


async def test_a_phones_tags_are_taken_down(renderer: IsolatedRenderer, video: Path) -> None:
    film = await well_rendered(renderer, written(video, a_video(tags=PHONES_TAGS)))

    assert film.date_claims == (
        DateClaim(DateSource.QUICKTIME, "2020-05-04T18:39:11-0400"),
        DateClaim(DateSource.VIDEO_HEADER, "2020-05-04T22:39:12.000000Z"),
    )
    assert rounded(film.metadata.place) == (48.8577, 2.295)
    assert (film.metadata.camera_make, film.metadata.camera_model) == ("Apple", "iPhone 11 Pro")
    assert film.metadata.content_identifier == "1745E022-9712-43C7-B024-F308EC6413CB"


@pytest.mark.parametrize("place", ["+00.0000+000.0000/", "+91.0000+002.0000/", "somewhere", "+48.8577"])
async def test_what_is_no_place_is_none_and_costs_nothing_else(
    renderer: IsolatedRenderer, video: Path, place: str
) -> None:
    tags = {"com.apple.quicktime.location.ISO6709": place, "com.apple.quicktime.make": "Apple"}

    film = await well_rendered(renderer, written(video, a_video(tags=tags)))

    assert film.metadata.place is None
    assert film.metadata.camera_make == "Apple"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (a_video("mov")[:2000], FailureReason.TRUNCATED),
        (a_video("mp4", "libx264")[:-200], FailureReason.TRUNCATED),
        (b"\0\0\0\x14ftypqt  \0\0\2\0qt  " + b"\0\0\0\x10free" + bytes(8), FailureReason.DAMAGED),
        (b"\x1a\x45\xdf\xa3" + bytes(2000), FailureReason.DAMAGED),
        (b"RIFF\0\0\0\0AVI LIST" + bytes(2000), FailureReason.DAMAGED),
        (a_sound(), FailureReason.UNSUPPORTED),
    ],
    ids=["cut mov", "cut mp4", "no film", "no matroska", "no avi", "only sound"],
)
async def test_a_broken_video_fails_alone_with_its_reason(
    renderer: IsolatedRenderer, video: Path, content: bytes, reason: FailureReason
) -> None:
    assert await rendered(renderer, written(video, content)) == Unrenderable(reason)

    assert isinstance(await rendered(renderer, REAL_PHOTOS / "old_mpeg4.mp4"), Rendered)


async def test_a_video_of_too_many_pixels_is_refused(video: Path) -> None:
    async with a_renderer(limits=DecodeLimits(most_pixels=320 * 160 - 1)) as renderer:
        answer = await rendered(renderer, written(video, a_video()))

    assert answer == Unrenderable(FailureReason.TOO_MANY_PIXELS)


async def test_videos_may_be_larger_than_pictures(video: Path) -> None:
    limits = DecodeLimits(largest_picture=100, largest_video=1_000_000)
    async with a_renderer(limits=limits) as renderer:
        assert isinstance(await rendered(renderer, written(video, a_video())), Rendered)
        assert await rendered(renderer, REAL_PHOTOS / "gps_paris.jpg") == Unrenderable(
            FailureReason.TOO_LARGE
        )


@pytest_asyncio.fixture
async def without_pyav(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[IsolatedRenderer]:
    monkeypatch.setattr("adapters.media.child.PROGRAM", "tests.support.child_without_pyav")
    async with a_renderer() as one:
        yield one


async def test_without_pyav_a_video_is_known_by_its_bytes_and_has_no_poster(
    without_pyav: IsolatedRenderer, video: Path
) -> None:
    written(video, a_video("avi"))

    found = await identified(without_pyav, video)
    film = await rendered(without_pyav, video)
    photo = await rendered(without_pyav, REAL_PHOTOS / "gps_paris.jpg")

    assert isinstance(found, Identified)
    assert found.media_type is MediaType.AVI
    assert film == Rendered(Metadata(), date_claims=(), proxies=(), blurhash="")
    assert isinstance(photo, Rendered)
    assert photo.proxies


async def test_without_pyav_a_phones_video_still_has_its_date_and_place(
    without_pyav: IsolatedRenderer, video: Path
) -> None:
    film = await rendered(without_pyav, written(video, a_video(tags=PHONES_TAGS)))

    assert film == Rendered(
        Metadata(
            place=Place(48.8577, 2.295),
            camera_make="Apple",
            camera_model="iPhone 11 Pro",
            duration=timedelta(seconds=2),
            content_identifier="1745E022-9712-43C7-B024-F308EC6413CB",
        ),
        date_claims=(
            DateClaim(DateSource.QUICKTIME, "2020-05-04T18:39:11-0400"),
            DateClaim(DateSource.VIDEO_HEADER, "2020-05-04T22:39:12.000000Z"),
        ),
        proxies=(),
        blurhash="",
    )


@pytest.mark.parametrize(
    ("name", "text", "duration"),
    [
        ("quicktime.mov", "2020-01-05T11:19:45Z", timedelta(microseconds=1_001_000)),
        ("old_mpeg4.mp4", "2005-10-28T17:46:46Z", timedelta(microseconds=4_966_667)),
    ],
)
async def test_without_pyav_real_videos_have_the_dates_that_they_have_with_it(
    without_pyav: IsolatedRenderer, name: str, text: str, duration: timedelta
) -> None:
    film = await well_rendered(without_pyav, REAL_PHOTOS / name)

    assert film.date_claims == (DateClaim(DateSource.VIDEO_HEADER, text),)
    assert film.metadata == Metadata(duration=duration)


def movie_header(created: int, *, scale: int = 1000, units: int = 2000, version: int = 0) -> bytes:
    """A film with nothing in it but its header."""
    width = 8 if version else 4
    times = created.to_bytes(width, "big") * 2
    header = bytes([version, 0, 0, 0]) + times + scale.to_bytes(4, "big") + units.to_bytes(width, "big")
    content = b"mvhd" + header + bytes(80)
    inner = (len(content) + 4).to_bytes(4, "big") + content
    return b"\0\0\0\x14ftypisom\0\0\2\0isom" + (len(inner) + 8).to_bytes(4, "big") + b"moov" + inner


TWO_SECONDS = timedelta(seconds=2)


@pytest.mark.parametrize(
    ("content", "created", "duration"),
    [
        (movie_header(3_661_067_985), "2020-01-05T11:19:45Z", TWO_SECONDS),
        (movie_header(3_661_067_985, version=1), "2020-01-05T11:19:45Z", TWO_SECONDS),
        (movie_header(1_578_223_185), "2020-01-05T11:19:45Z", TWO_SECONDS),
        (movie_header(0), "", TWO_SECONDS),
        (movie_header(3_661_067_985, scale=0), "2020-01-05T11:19:45Z", None),
        (movie_header(3_661_067_985, units=0), "2020-01-05T11:19:45Z", None),
        (movie_header(3_661_067_985, units=0xFFFFFFFF), "2020-01-05T11:19:45Z", None),
        (movie_header((1 << 64) - 1, version=1), "", None),
        (movie_header(3_661_067_985)[:40], "", None),
        (b"\0\0\0\x14ftypisom\0\0\2\0isom" + b"\0\0\0\x01moov" + b"\xff" * 8, "", None),
        (b"\0\0\0\x02moov" * 4, "", None),
        (b"", "", None),
    ],
)
def test_the_header_of_a_film_is_read_without_trust(
    content: bytes, created: str, duration: timedelta | None
) -> None:
    film = read_film(BytesIO(content))

    assert (film.tags.get("creation_time", ""), film.duration) == (created, duration)


@pytest.mark.parametrize("seed", range(100))
def test_no_damage_to_the_boxes_of_a_film_raises(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 -- damage, not secrets
    film = bytearray(FILM)
    start = film.index(b"moov")
    for _ in range(20):
        film[dice.randrange(start, len(film))] = dice.randrange(256)

    assert all(isinstance(value, str) for value in read_film(BytesIO(film)).tags.values())
