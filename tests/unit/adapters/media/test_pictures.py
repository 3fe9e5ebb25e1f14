"""What becomes of pixels and tags, shown on pictures made for it."""

import random
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image, ImageCms

from adapters.media.isolated_renderer import IsolatedRenderer
from application.ports.image_renderer import Rendered
from domain.media.capture_date import DateClaim, DateSource
from domain.media.proxy import ProxyKind
from tests.support.photos import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    Colour,
    a_jpeg,
    a_renderer,
    corner_colours,
    encoded,
    exif,
    four_corners,
    opened_proxy,
    pixel,
    rounded,
    well_rendered,
    written,
)

ORIENTATION, MAKE, MODEL = 0x0112, 0x010F, 0x0110
ORIGINAL, SUBSECONDS, OFFSET, EDIT_OFFSET = 0x9003, 0x9291, 0x9011, 0x9010
MODIFIED = 0x0132

STORED_FOR_UPRIGHT = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""How a camera that writes an orientation stores a picture that was upright."""


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def renderer() -> AsyncIterator[IsolatedRenderer]:
    async with a_renderer() as one:
        yield one


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    return tmp_path / "photo"


async def taken_in(renderer: IsolatedRenderer, photo: Path, content: bytes) -> Rendered:
    return await well_rendered(renderer, written(photo, content))


@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
@pytest.mark.parametrize("orientation", range(1, 9))
async def test_every_orientation_is_applied_once(
    renderer: IsolatedRenderer, photo: Path, file_format: str, orientation: int
) -> None:
    transposition = STORED_FOR_UPRIGHT[orientation]
    upright = four_corners((400, 200))
    stored = upright if transposition is None else upright.transpose(transposition)

    picture = await taken_in(
        renderer, photo, encoded(stored, file_format, exif=exif({ORIENTATION: orientation}))
    )

    assert (picture.metadata.width, picture.metadata.height) == (400, 200)
    for kind in ProxyKind:
        assert corner_colours(opened_proxy(picture, kind)) == (RED, GREEN, BLUE, YELLOW)


@pytest.mark.parametrize(
    ("size", "thumbnail", "preview"),
    [
        ((4000, 3000), (300, 225), (1920, 1440)),
        ((3000, 4000), (225, 300), (1440, 1920)),
        ((1920, 1080), (300, 169), (1920, 1080)),
        ((200, 100), (200, 100), (200, 100)),
        ((5000, 1), (300, 1), (1920, 1)),
        ((1, 1), (1, 1), (1, 1)),
    ],
)
async def test_proxies_fit_their_bounds_and_are_never_enlarged(
    renderer: IsolatedRenderer,
    photo: Path,
    size: tuple[int, int],
    thumbnail: tuple[int, int],
    preview: tuple[int, int],
) -> None:
    picture = await taken_in(renderer, photo, a_jpeg(size))

    assert opened_proxy(picture, ProxyKind.THUMBNAIL).size == thumbnail
    assert opened_proxy(picture, ProxyKind.PREVIEW).size == preview
    assert [(proxy.width, proxy.height) for proxy in picture.proxies] == [thumbnail, preview]


def palette_picture() -> Image.Image:
    return four_corners().quantize(8)


def grey_16_bits() -> Image.Image:
    return Image.new("I;16", (40, 20), 0x8000)


def mode_or_text(value: object) -> str:
    # By default a picture is called by its place in memory, and its test by another name in every process.
    return value.mode if isinstance(value, Image.Image) else str(value)


@pytest.mark.parametrize(
    ("image", "file_format", "colour"),
    [
        (Image.new("L", (40, 20), 128), "JPEG", (128, 128, 128)),
        (Image.new("1", (40, 20), 1), "PNG", (255, 255, 255)),
        (Image.new("1", (40, 20), 0), "TIFF", (0, 0, 0)),
        (grey_16_bits(), "PNG", (128, 128, 128)),
        (grey_16_bits(), "TIFF", (128, 128, 128)),
        (Image.new("I", (40, 20), 0x8000), "TIFF", (128, 128, 128)),
        (Image.new("F", (40, 20), 100.0), "TIFF", (100, 100, 100)),
        (Image.new("RGBA", (40, 20), (200, 0, 0, 0)), "PNG", (255, 255, 255)),
        (Image.new("RGBA", (40, 20), (200, 0, 0, 255)), "WEBP", (200, 0, 0)),
        (Image.new("LA", (40, 20), (0, 128)), "PNG", (127, 127, 127)),
        (Image.new("CMYK", (40, 20), (0, 0, 0, 255)), "JPEG", (0, 0, 0)),
        (Image.new("CMYK", (40, 20), (0, 0, 0, 0)), "TIFF", (255, 255, 255)),
        (Image.new("RGB", (40, 20), (10, 200, 30)), "BMP", (10, 200, 30)),
    ],
    ids=mode_or_text,
)
async def test_every_mode_becomes_eight_bits_of_rgb(
    renderer: IsolatedRenderer, photo: Path, image: Image.Image, file_format: str, colour: Colour
) -> None:
    preview = opened_proxy(await taken_in(renderer, photo, encoded(image, file_format)))

    assert preview.mode == "RGB"
    assert pixel(preview, (20, 10)) == pytest.approx(colour, abs=6)


async def test_a_palette_with_a_transparent_entry_is_laid_on_white(
    renderer: IsolatedRenderer, photo: Path
) -> None:
    image = Image.new("P", (40, 20), 1)
    image.putpalette([200, 0, 0, 0, 0, 200])
    content = encoded(image, "PNG", transparency=1)

    assert pixel(opened_proxy(await taken_in(renderer, photo, content)), (20, 10)) == (255, 255, 255)


async def test_a_palette_picture_keeps_its_colours(renderer: IsolatedRenderer, photo: Path) -> None:
    picture = await taken_in(renderer, photo, encoded(palette_picture(), "GIF"))

    assert corner_colours(opened_proxy(picture)) == (RED, GREEN, BLUE, YELLOW)


async def test_the_first_frame_of_an_animation_counts(renderer: IsolatedRenderer, photo: Path) -> None:
    first, second = Image.new("RGB", (40, 20), RED), Image.new("RGB", (40, 20), BLUE)
    content = encoded(first, "GIF", save_all=True, append_images=[second])

    assert corner_colours(opened_proxy(await taken_in(renderer, photo, content))) == (RED, RED, RED, RED)


async def test_colours_of_another_profile_are_converted_and_srgb_is_left_alone(
    renderer: IsolatedRenderer, photo: Path
) -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    colour = (200, 100, 50)

    as_srgb = opened_proxy(await taken_in(renderer, photo, a_jpeg(colour=colour, icc_profile=srgb)))
    as_swapped = opened_proxy(
        await taken_in(renderer, photo, a_jpeg(colour=colour, icc_profile=swapped(srgb)))
    )
    as_unfit = opened_proxy(await taken_in(renderer, photo, a_jpeg(colour=colour, icc_profile=lab)))
    as_nonsense = opened_proxy(
        await taken_in(renderer, photo, a_jpeg(colour=colour, icc_profile=b"nonsense"))
    )

    assert pixel(as_srgb, (20, 10)) == pytest.approx(colour, abs=4)
    red, _, blue = pixel(as_swapped, (20, 10))
    assert blue > red, "the profile says that the red channel is blue"
    assert pixel(as_unfit, (20, 10)) == pytest.approx(colour, abs=4)
    assert pixel(as_nonsense, (20, 10)) == pytest.approx(colour, abs=4)


def swapped(profile: bytes) -> bytes:
    """An RGB profile whose red and blue primaries change places, under another name."""
    return (
        profile.replace(b"rXYZ", b"tmpX")
        .replace(b"bXYZ", b"rXYZ")
        .replace(b"tmpX", b"bXYZ")
        .replace("sRGB".encode("utf-16-be"), "mine".encode("utf-16-be"))
    )


async def test_proxies_carry_nothing_of_the_original_but_its_picture(
    renderer: IsolatedRenderer, photo: Path
) -> None:
    block = exif({MAKE: "Marker Works"}, {ORIGINAL: "2019:07:08 12:34:56"}, {1: "N", 2: (48.0, 0.0, 0.0)})
    picture = await taken_in(renderer, photo, a_jpeg(exif=block, comment="marker comment"))

    for proxy in picture.proxies:
        info = Image.open(BytesIO(proxy.content)).info
        assert sorted(info) == ["jfif", "jfif_density", "jfif_unit", "jfif_version"]
        assert b"arker" not in proxy.content


async def test_tags_are_taken_down_as_they_stand(renderer: IsolatedRenderer, photo: Path) -> None:
    block = exif(
        {MAKE: "Canon  \0", MODEL: "EOS\n5D", MODIFIED: "2021:01:01 00:00:00"},
        {ORIGINAL: "2019:07:08 12:34:56", SUBSECONDS: "07", OFFSET: "+05:30", EDIT_OFFSET: "+09:00"},
        {1: "S", 2: (33.0, 51.0, 30.0), 3: "W", 4: (70.0, 40.0, 12.0), 29: "2019:07:08", 7: (7.0, 4.0, 56.0)},
    )

    picture = await taken_in(renderer, photo, a_jpeg(exif=block))

    assert picture.date_claims == (
        DateClaim(DateSource.EXIF_ORIGINAL, "2019:07:08 12:34:56", "07", "+05:30"),
        DateClaim(DateSource.GPS, "2019:07:08 07:04:56", offset="Z"),
    )
    assert rounded(picture.metadata.place) == (-33.858333, -70.67)
    assert (picture.metadata.camera_make, picture.metadata.camera_model) == ("Canon", "EOS 5D")


@pytest.mark.parametrize("seed", range(40))
async def test_no_damage_to_the_tags_costs_the_picture(
    renderer: IsolatedRenderer, photo: Path, seed: int
) -> None:
    dice = random.Random(seed)  # noqa: S311 -- damage, not secrets
    block = exif(
        {MAKE: "Canon"},
        {ORIGINAL: "2019:07:08 12:34:56"},
        {1: "N", 2: (1.0, 2.0, 3.0), 3: "E", 4: (1.0, 2.0, 3.0)},
    )
    tags = bytearray(block.tobytes())
    for _ in range(12):
        tags[dice.randrange(6, len(tags))] = dice.randrange(256)

    picture = await taken_in(renderer, photo, a_jpeg(exif=bytes(tags)))

    assert {picture.metadata.width, picture.metadata.height} == {64, 48}


async def test_the_blurhash_is_of_the_picture_as_it_is_seen(renderer: IsolatedRenderer, photo: Path) -> None:
    upright = await taken_in(renderer, photo, encoded(four_corners()))
    turned = await taken_in(
        renderer,
        photo,
        encoded(four_corners().transpose(Image.Transpose.ROTATE_90), exif=exif({ORIENTATION: 6})),
    )

    assert len(upright.blurhash) == 28
    assert turned.blurhash == upright.blurhash
