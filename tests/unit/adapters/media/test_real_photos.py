"""Real files, and the values that three other readers agree on for each of them."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, time, timedelta

import pytest
import pytest_asyncio

from adapters.media.isolated_renderer import IsolatedRenderer
from application.ports.image_renderer import Rendered, Unrenderable
from domain.media.capture_date import CaptureDate, DateSource, capture_date
from domain.media.failure import FailureReason
from domain.media.metadata import Metadata, Orientation
from domain.media.proxy import ProxyKind
from tests.support.photos import (
    REAL_PHOTOS,
    a_renderer,
    corner_colours,
    opened_proxy,
    rendered,
    rounded,
    well_rendered,
)

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
FOUR_HOURS, SEVEN_HOURS = timedelta(hours=4), timedelta(hours=7)
XMP, ORIGINAL, DIGITIZED = DateSource.XMP, DateSource.EXIF_ORIGINAL, DateSource.EXIF_DIGITIZED
VIDEO = DateSource.VIDEO_HEADER


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def renderer() -> AsyncIterator[IsolatedRenderer]:
    async with a_renderer() as one:
        yield one


def captured_in(picture: Rendered) -> CaptureDate | None:
    return capture_date(picture.date_claims, now=NOW, zone=UTC)


@pytest.mark.parametrize(
    ("name", "captured"),
    [
        ("gps_paris.jpg", CaptureDate(date(2002, 8, 24), time(13, 59, 8), None, ORIGINAL)),
        ("gps_zero_zero.jpg", CaptureDate(date(2017, 11, 27), time(1, 1, 1), None, ORIGINAL)),
        ("date_blank.jpg", CaptureDate(date(2003, 9, 10), time(20, 59, 18), None, DIGITIZED)),
        (
            "phone_orient6_subsec4.jpg",
            CaptureDate(date(2019, 9, 26), time(16, 38, 0, 53_200), None, ORIGINAL),
        ),
        ("gps_empty_ifd.jpg", CaptureDate(date(2020, 7, 27), time(14, 46, 48, 780_685), None, ORIGINAL)),
        ("mpo_iphone.mpo", CaptureDate(date(2025, 9, 7), time(14, 16, 43, 472_000), -FOUR_HOURS, ORIGINAL)),
        ("exif_dpi_0_0.jpg", CaptureDate(date(2017, 3, 13), time(23, 3, 9), -SEVEN_HOURS, XMP)),
        ("exif_invalid.jpg", CaptureDate(date(2017, 3, 13), time(23, 3, 9), -SEVEN_HOURS, XMP)),
        ("xmp_date_tz.jpg", CaptureDate(date(2010, 7, 11), time(13, 53), timedelta(hours=2), XMP)),
        ("cmyk_adobe.jpg", CaptureDate(date(2009, 3, 6), time(22, 15), timedelta(hours=1), XMP)),
        ("rgb.webp", CaptureDate(date(2013, 7, 4), time(17, 23, 10), timedelta(hours=-3), XMP)),
        ("heic_iphone_irot.heic", CaptureDate(date(2018, 7, 31), time(14, 52, 7, 557_000), None, ORIGINAL)),
        (
            "heic_iphone_live.HEIC",
            CaptureDate(date(2020, 5, 4), time(18, 39, 11, 644_000), -FOUR_HOURS, ORIGINAL),
        ),
        ("quicktime.mov", CaptureDate(date(2020, 1, 5), time(11, 19, 45), timedelta(), VIDEO)),
        ("old_mpeg4.mp4", CaptureDate(date(2005, 10, 28), time(17, 46, 46), timedelta(), VIDEO)),
    ],
)
async def test_the_capture_date_is_the_one_in_the_file(
    renderer: IsolatedRenderer, name: str, captured: CaptureDate
) -> None:
    assert captured_in(await well_rendered(renderer, REAL_PHOTOS / name)) == captured


@pytest.mark.parametrize(
    "name",
    [
        "date_2099.jpg",
        "date_zero.jpg",
        "orient_landscape_1.jpg",
        "exif.png",
        "rgb16.tiff",
        "palette.gif",
        "bigtiff.tif",
        "rgb16.png",
        "rgba16.png",
        "gray16.png",
        "rgba_transparent.png",
        "animated.gif",
        "animated.webp",
        "tiff_orient5_1bit.tif",
        "heif_10bit.heif",
        "heif_12bit_alpha.heif",
        "heic_truncated.heic",
        "heic_invalid_item_id.heic",
    ],
)
async def test_no_date_is_made_up(renderer: IsolatedRenderer, name: str) -> None:
    assert captured_in(await well_rendered(renderer, REAL_PHOTOS / name)) is None


@pytest.mark.parametrize(
    ("name", "orientation", "width", "height"),
    [
        ("orient_landscape_1.jpg", 1, 1800, 1200),
        ("orient_portrait_2.jpg", 2, 1200, 1800),
        ("orient_landscape_3.jpg", 3, 1800, 1200),
        ("orient_portrait_4.jpg", 4, 1200, 1800),
        ("orient_portrait_5.jpg", 5, 1200, 1800),
        ("orient_landscape_6.jpg", 6, 1800, 1200),
        ("orient_portrait_7.jpg", 7, 1200, 1800),
        ("orient_landscape_8.jpg", 8, 1800, 1200),
        ("date_blank.jpg", 6, 121, 81),
        ("date_zero.jpg", 1, 134, 101),
        ("date_2099.jpg", 1, 8, 8),
        ("gps_empty_ifd.jpg", 6, 10, 10),
        ("gps_zero_zero.jpg", 1, 2048, 1536),
        ("phone_orient6_subsec4.jpg", 6, 1932, 2576),
        ("exif_invalid.jpg", 1, 200, 200),
        ("xmp_date_tz.jpg", 1, 800, 531),
        ("mpo_iphone.mpo", 1, 56, 70),
        ("cmyk_adobe.jpg", 1, 100, 100),
        ("rgb16.tiff", 1, 100, 40),
        ("rgb16.png", 1, 128, 128),
        ("rgba16.png", 1, 29, 100),
        ("gray16.png", 1, 128, 128),
        ("rgba_transparent.png", 1, 200, 150),
        ("palette.gif", 1, 128, 128),
        ("animated.gif", 1, 100, 100),
        ("animated.webp", 1, 245, 245),
        ("rgb.webp", 1, 300, 225),
        ("exif.png", 1, 512, 512),
        ("tiff_orient5_1bit.tif", 5, 590, 88),
        ("bigtiff.tif", 1, 128, 128),
        ("gps_paris.jpg", 1, 600, 400),
        ("exif_dpi_0_0.jpg", 1, 200, 200),
        ("heic_iphone_irot.heic", 6, 3024, 4032),
        ("heic_iphone_live.HEIC", 1, 3024, 4032),
        ("heif_10bit.heif", 1, 128, 128),
        ("heif_12bit_alpha.heif", 1, 29, 100),
        ("heic_truncated.heic", 1, 16, 16),
        ("heic_invalid_item_id.heic", 1, 564, 870),
        ("quicktime.mov", 1, 640, 360),
        ("old_mpeg4.mp4", 1, 190, 240),
    ],
)
async def test_the_size_is_the_one_that_is_displayed(
    renderer: IsolatedRenderer, name: str, orientation: int, width: int, height: int
) -> None:
    picture = await well_rendered(renderer, REAL_PHOTOS / name)

    assert (picture.metadata.width, picture.metadata.height) == (width, height)
    assert picture.metadata.orientation == Orientation(orientation)
    # Few of these are larger than a preview.
    preview = opened_proxy(picture)
    assert preview.size == ((width, height) if max(width, height) <= 1920 else scaled_to_1920(width, height))
    assert preview.mode == "RGB"


def scaled_to_1920(width: int, height: int) -> tuple[int, int]:
    return {(2048, 1536): (1920, 1440), (1932, 2576): (1440, 1920), (3024, 4032): (1440, 1920)}[width, height]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("gps_paris.jpg", (48.857833, 2.297)),
        ("gps_zero_zero.jpg", None),
        ("gps_empty_ifd.jpg", None),
        ("date_2099.jpg", None),
        ("xmp_date_tz.jpg", None),
        ("heic_iphone_live.HEIC", None),
        ("quicktime.mov", None),
    ],
)
async def test_the_place_is_the_one_in_the_file(
    renderer: IsolatedRenderer, name: str, place: tuple[float, float] | None
) -> None:
    picture = await well_rendered(renderer, REAL_PHOTOS / name)

    assert rounded(picture.metadata.place) == place


async def test_camera_and_lens_are_taken_down(renderer: IsolatedRenderer) -> None:
    phone = await well_rendered(renderer, REAL_PHOTOS / "mpo_iphone.mpo")
    camera = await well_rendered(renderer, REAL_PHOTOS / "date_blank.jpg")

    assert phone.metadata == Metadata(
        width=56,
        height=70,
        orientation=Orientation.UPRIGHT,
        place=None,
        camera_make="Apple",
        camera_model="iPhone 14 Pro Max",
        lens_model="iPhone 14 Pro Max back triple camera 6.86mm f/1.78",
        duration=None,
        content_identifier="",
    )
    assert (camera.metadata.camera_make, camera.metadata.camera_model) == (
        "FUJI PHOTO FILM CO., LTD.",
        "SP-2500",
    )


@pytest.mark.parametrize(
    ("name", "duration"),
    [
        ("quicktime.mov", timedelta(microseconds=1_001_000)),
        ("old_mpeg4.mp4", timedelta(microseconds=4_966_667)),
        ("gps_paris.jpg", None),
    ],
)
async def test_only_videos_have_a_duration(
    renderer: IsolatedRenderer, name: str, duration: timedelta | None
) -> None:
    assert (await well_rendered(renderer, REAL_PHOTOS / name)).metadata.duration == duration


async def test_half_a_live_photo_names_what_it_shares_with_its_other_half(renderer: IsolatedRenderer) -> None:
    photo = await well_rendered(renderer, REAL_PHOTOS / "heic_iphone_live.HEIC")

    assert photo.metadata == Metadata(
        width=3024,
        height=4032,
        orientation=Orientation.UPRIGHT,
        place=None,
        camera_make="Apple",
        camera_model="iPhone 11 Pro",
        lens_model="iPhone 11 Pro back triple camera 4.25mm f/1.8",
        duration=None,
        content_identifier="1745E022-9712-43C7-B024-F308EC6413CB",
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("truncated.jpg", FailureReason.TRUNCATED),
        ("truncated.png", FailureReason.TRUNCATED),
        ("png_broken_stream.png", FailureReason.DAMAGED),
        ("png_broken_header.png", FailureReason.DAMAGED),
        ("bomb_header.gif", FailureReason.TOO_MANY_PIXELS),
        ("heic_empty.heic", FailureReason.EMPTY),
        ("heic_corrupted.heic", FailureReason.DAMAGED),
        ("LICENCES.md", FailureReason.UNSUPPORTED),
    ],
)
async def test_a_broken_file_fails_with_its_reason_and_the_next_one_does_not(
    renderer: IsolatedRenderer, name: str, reason: FailureReason
) -> None:
    assert await rendered(renderer, REAL_PHOTOS / name) == Unrenderable(reason)

    assert isinstance(await rendered(renderer, REAL_PHOTOS / "gps_paris.jpg"), Rendered)


async def test_the_photographed_landscape_is_upright_however_it_was_stored(
    renderer: IsolatedRenderer,
) -> None:
    upright = opened_proxy(
        await well_rendered(renderer, REAL_PHOTOS / "orient_landscape_1.jpg"), ProxyKind.THUMBNAIL
    )

    for number in (3, 6, 8):
        turned = opened_proxy(
            await well_rendered(renderer, REAL_PHOTOS / f"orient_landscape_{number}.jpg"), ProxyKind.THUMBNAIL
        )
        assert turned.size == upright.size
        assert corner_colours(turned) == corner_colours(upright)
