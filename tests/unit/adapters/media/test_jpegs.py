"""JPEGs go a way of their own, in the colours that they are stored in: what may not come of it."""

import math
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image, ImageChops, ImageStat

from adapters.media.isolated_renderer import IsolatedRenderer
from domain.media.proxy import ProxyKind
from tests.support.photos import (
    BLUE,
    GREEN,
    REAL_PHOTOS,
    RED,
    YELLOW,
    a_renderer,
    corner_colours,
    encoded,
    exif,
    four_corners,
    opened_proxy,
    pixel,
    well_rendered,
    written,
)

ORIENTATION = 0x0112
ALL_COLOURS = (RED, GREEN, BLUE, YELLOW)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def renderer() -> AsyncIterator[IsolatedRenderer]:
    async with a_renderer() as one:
        yield one


@pytest.mark.parametrize(
    "size", [(4000, 2000), (4001, 2003), (2500, 1251), (1921, 3), (3, 1921), (1919, 961)]
)
@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:2", "4:2:0"])
async def test_every_size_and_every_thrift_with_colours_is_borne(
    renderer: IsolatedRenderer, tmp_path: Path, size: tuple[int, int], subsampling: str
) -> None:
    content = encoded(four_corners(size), "JPEG", quality=95, subsampling=subsampling)

    picture = await well_rendered(renderer, written(tmp_path / "photo", content))

    if min(size) > 100:
        assert corner_colours(opened_proxy(picture)) == ALL_COLOURS
        assert corner_colours(opened_proxy(picture, ProxyKind.THUMBNAIL)) == ALL_COLOURS
    assert (picture.metadata.width, picture.metadata.height) == size


@pytest.mark.parametrize("orientation", [2, 5, 6, 8])
async def test_a_large_jpeg_is_turned_like_a_small_one(
    renderer: IsolatedRenderer, tmp_path: Path, orientation: int
) -> None:
    transposition = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        8: Image.Transpose.ROTATE_270,
    }[orientation]
    content = encoded(
        four_corners((4000, 2000)).transpose(transposition), "JPEG", exif=exif({ORIENTATION: orientation})
    )

    picture = await well_rendered(renderer, written(tmp_path / "photo", content))

    for kind, size in ((ProxyKind.PREVIEW, (1920, 960)), (ProxyKind.THUMBNAIL, (300, 150))):
        proxy = opened_proxy(picture, kind)
        assert proxy.size == size
        assert corner_colours(proxy) == ALL_COLOURS


def without_jfif(jpeg: bytes) -> bytes:
    """The same without the mark that says YCbCr."""
    assert jpeg[2:4] == b"\xff\xe0"
    length = int.from_bytes(jpeg[4:6], "big")
    return jpeg[:2] + jpeg[4 + length :]


def adobe(jpeg: bytes, transform: int) -> bytes:
    """The same with Adobe's mark of which colours are stored."""
    mark = b"Adobe\0\x64\0\0\0\0" + bytes([transform])
    return jpeg[:2] + b"\xff\xee" + (len(mark) + 2).to_bytes(2, "big") + mark + jpeg[2:]


def stored_as_rgb(image: Image.Image) -> bytes:
    """A JPEG of red, green and blue instead of luma and chroma."""
    return encoded(image, "JPEG", quality=95, subsampling="4:4:4", keep_rgb=True)


@pytest.mark.parametrize("size", [(400, 200), (4000, 2000)])
async def test_jpegs_that_store_rgb_keep_their_colours(
    renderer: IsolatedRenderer, tmp_path: Path, size: tuple[int, int]
) -> None:
    plain = stored_as_rgb(four_corners(size))
    # Pillow names the components R, G and B; Adobe's mark alone says the same of components 1, 2 and 3.
    named_by_mark = plain
    for name, number in (
        (b"R\x11\0", b"\x01\x11\0"),
        (b"G\x11\0", b"\x02\x11\0"),
        (b"B\x11\0", b"\x03\x11\0"),
    ):
        assert named_by_mark.count(name) == 1
        named_by_mark = named_by_mark.replace(name, number)
    named_by_mark = named_by_mark.replace(b"\x03R\0G\0B\0", b"\x03\x01\0\x02\0\x03\0")

    for content in (plain, adobe(named_by_mark, 0)):
        picture = await well_rendered(renderer, written(tmp_path / "photo", content))
        assert corner_colours(opened_proxy(picture)) == ALL_COLOURS


@pytest.mark.parametrize("mark", ["none", "adobe"])
async def test_jpegs_that_store_ycbcr_without_saying_so_first_keep_their_colours(
    renderer: IsolatedRenderer, tmp_path: Path, mark: str
) -> None:
    bare = without_jfif(encoded(four_corners((4000, 2000)), "JPEG"))
    content = bare if mark == "none" else adobe(bare, 1)

    picture = await well_rendered(renderer, written(tmp_path / "photo", content))

    assert corner_colours(opened_proxy(picture)) == ALL_COLOURS


async def test_a_large_grey_jpeg_stays_grey(renderer: IsolatedRenderer, tmp_path: Path) -> None:
    content = encoded(Image.new("L", (4000, 2000), 100), "JPEG")

    preview = opened_proxy(await well_rendered(renderer, written(tmp_path / "photo", content)))

    assert preview.size == (1920, 960)
    assert pixel(preview, (900, 400)) == pytest.approx((100, 100, 100), abs=1)


async def test_a_preview_is_as_good_as_the_slowest_way_to_make_it(renderer: IsolatedRenderer) -> None:
    """37 dB over a real photo, against every pixel decoded and the best filter: nobody can tell them apart."""
    photo = REAL_PHOTOS / "phone_orient6_subsec4.jpg"
    with Image.open(photo) as image:
        best = image.convert("RGB").resize((1920, 1440), Image.Resampling.LANCZOS)

    preview = opened_proxy(await well_rendered(renderer, photo))

    assert decibels(preview, best.transpose(Image.Transpose.ROTATE_270)) > 37


@pytest.mark.parametrize("size", [(2401, 1801), (1921, 1441)])
async def test_colours_stay_sharp_and_in_their_places(
    renderer: IsolatedRenderer, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Most of the work on chroma is spared: it must neither wash out nor move against luma."""
    colours = Image.radial_gradient("L").resize(size).point([16 * grey % 256 for grey in range(256)])
    rings = Image.merge("HSV", (colours, Image.new("L", size, 220), Image.new("L", size, 180))).convert("RGB")
    content = encoded(rings, "JPEG", quality=95)

    picture = await well_rendered(renderer, written(tmp_path / "photo", content))

    for kind, least in ((ProxyKind.PREVIEW, 31), (ProxyKind.THUMBNAIL, 27)):
        proxy = opened_proxy(picture, kind)
        best = rings.resize(proxy.size, Image.Resampling.LANCZOS)
        assert decibels(chroma(proxy), chroma(best)) > least


async def test_fine_colours_of_a_wide_panorama_do_not_shimmer(
    renderer: IsolatedRenderer, tmp_path: Path
) -> None:
    """It cannot be decoded as small as others, so that pixels picked here and there would make false stripes."""
    stripes = Image.new("RGB", (4125, 1), RED)
    stripes.paste(BLUE, mask=Image.frombytes("L", (4125, 1), bytes([0, 255] * 2063)[:4125]))
    content = encoded(stripes.resize((33_000, 80), Image.Resampling.NEAREST), "JPEG", subsampling="4:4:4")

    preview = opened_proxy(await well_rendered(renderer, written(tmp_path / "photo", content)))

    assert preview.size == (1920, 5)
    assert max(ImageStat.Stat(preview.convert("YCbCr")).stddev) < 3


def chroma(picture: Image.Image) -> Image.Image:
    """Its two planes of colour, side by side in one picture."""
    _, blue, red = picture.convert("YCbCr").split()
    return Image.merge("RGB", (blue, red, red))


def decibels(picture: Image.Image, other: Image.Image) -> float:
    """How little two pictures differ, as the ratio of the largest signal to the noise."""
    squares = ImageStat.Stat(ImageChops.difference(picture, other)).sum2
    return 10 * math.log10(255**2 / (sum(squares) / (picture.width * picture.height * len(squares))))
