"""HEIC: who turns the picture, and what a huge one costs."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image, ImageChops, ImageStat

from adapters.media.child import Died, Unheard
from adapters.media.heif_boxes import turns_its_picture
from adapters.media.isolated_renderer import IsolatedRenderer
from adapters.media.wire import DecodeLimits, Render, Reply, Request
from application.ports.file_tree import OpenFile
from application.ports.image_renderer import Rendered, Unrenderable
from domain.media.failure import FailureReason
from domain.media.metadata import Orientation
from domain.media.proxy import ProxyKind
from tests.support.children import children_of_this_process, peak_memory_of
from tests.support.photos import (
    REAL_PHOTOS,
    a_jpeg,
    a_renderer,
    opened_proxy,
    rendered,
    well_rendered,
    written,
)

MIB = 1024 * 1024

pytestmark = pytest.mark.asyncio(loop_scope="module")

A_QUARTER_CLOCKWISE = b"\0\0\0\x09irot\x03"
"""How the file with the arrow says that its picture is to be turned: by three quarters against the clock."""

NOTHING = b"\0\0\0\x09free\0"
ORIENTATION_6 = b"\x01\x12\0\x03\0\0\0\x01\0\x06"
"""The same in its EXIF."""

SHOWN: dict[int, Image.Transpose | None] = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What each orientation makes of the pixels as they are stored."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def renderer() -> AsyncIterator[IsolatedRenderer]:
    async with a_renderer() as one:
        yield one


def arrow(*, box: bytes, orientation: int) -> bytes:
    """The picture of an arrow, with another property in place of its rotation, and another orientation in its EXIF."""
    content = (REAL_PHOTOS / "heic_iphone_irot.heic").read_bytes()
    assert content.count(A_QUARTER_CLOCKWISE) == 1
    assert content.count(ORIENTATION_6) == 1
    return content.replace(A_QUARTER_CLOCKWISE, box).replace(
        ORIENTATION_6, ORIENTATION_6[:-1] + bytes([orientation])
    )


async def thumbnail(renderer: IsolatedRenderer, photo: Path, content: bytes) -> tuple[Rendered, Image.Image]:
    picture = await well_rendered(renderer, written(photo, content))
    return picture, opened_proxy(picture, ProxyKind.THUMBNAIL)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def upright(renderer: IsolatedRenderer) -> Image.Image:
    """The arrow as it is to be seen."""
    return opened_proxy(
        await well_rendered(renderer, REAL_PHOTOS / "heic_iphone_irot.heic"), ProxyKind.THUMBNAIL
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stored(renderer: IsolatedRenderer, tmp_path_factory: pytest.TempPathFactory) -> Image.Image:
    """The arrow as it is stored: on its side."""
    photo = tmp_path_factory.mktemp("stored") / "photo"
    _, picture = await thumbnail(renderer, photo, arrow(box=NOTHING, orientation=1))
    assert picture.size == (300, 225)
    return picture


def is_the_same(picture: Image.Image, other: Image.Image) -> bool:
    if picture.size != other.size:
        return False
    difference = ImageStat.Stat(ImageChops.difference(picture.convert("L"), other.convert("L")))
    return difference.mean[0] < 4


@pytest.mark.parametrize("orientation", [1, 3, 8])
async def test_a_picture_that_its_file_turns_is_not_turned_again(
    renderer: IsolatedRenderer, upright: Image.Image, tmp_path: Path, orientation: int
) -> None:
    picture, shown = await thumbnail(
        renderer, tmp_path / "photo", arrow(box=A_QUARTER_CLOCKWISE, orientation=orientation)
    )

    assert is_the_same(shown, upright)
    assert (picture.metadata.width, picture.metadata.height) == (3024, 4032)
    assert picture.metadata.orientation == Orientation(orientation)


@pytest.mark.parametrize("orientation", range(1, 9))
async def test_exif_turns_a_picture_that_its_file_does_not_turn(
    renderer: IsolatedRenderer, stored: Image.Image, tmp_path: Path, orientation: int
) -> None:
    picture, shown = await thumbnail(
        renderer, tmp_path / "photo", arrow(box=NOTHING, orientation=orientation)
    )

    transposition = SHOWN[orientation]
    assert is_the_same(shown, stored if transposition is None else stored.transpose(transposition))
    assert (picture.metadata.width, picture.metadata.height) == (
        (3024, 4032) if orientation >= 5 else (4032, 3024)
    )
    assert picture.metadata.orientation == Orientation(orientation)


@pytest.mark.parametrize(
    ("box", "transposition"),
    [
        (b"\0\0\0\x09irot\0", None),
        (b"\0\0\0\x09irot\x01", Image.Transpose.ROTATE_90),
        (b"\0\0\0\x09irot\x02", Image.Transpose.ROTATE_180),
        (b"\0\0\0\x09irot\x03", Image.Transpose.ROTATE_270),
        (b"\0\0\0\x09imir\0", Image.Transpose.FLIP_TOP_BOTTOM),
        (b"\0\0\0\x09imir\x01", Image.Transpose.FLIP_LEFT_RIGHT),
    ],
)
async def test_the_turns_of_the_file_itself_count_and_exif_adds_nothing(
    renderer: IsolatedRenderer,
    stored: Image.Image,
    tmp_path: Path,
    box: bytes,
    transposition: Image.Transpose | None,
) -> None:
    _, shown = await thumbnail(renderer, tmp_path / "photo", arrow(box=box, orientation=8))

    assert is_the_same(shown, stored if transposition is None else stored.transpose(transposition))


@pytest.mark.parametrize(
    "content",
    [b"", b"\0\0\0\x08meta", b"\0\0\0\x0cmeta\0\0\0\0", b"\xff" * 64, b"\0\0\0\x01meta\0\0\0\0\0\0\0\0"],
)
async def test_boxes_that_make_no_sense_leave_the_picture_as_it_is(content: bytes) -> None:
    assert turns_its_picture(content)


async def test_every_cut_through_the_boxes_is_borne() -> None:
    content = (REAL_PHOTOS / "heic_iphone_irot.heic").read_bytes()[:4096]

    assert {turns_its_picture(content[:end]) for end in range(len(content))} <= {True, False}


@pytest.mark.parametrize(
    ("deep", "same"), [("heif_10bit.heif", "rgb16.png"), ("heif_12bit_alpha.heif", "rgba16.png")]
)
async def test_pixels_of_more_than_eight_bits_keep_their_colours(
    renderer: IsolatedRenderer, deep: str, same: str
) -> None:
    pictures = [opened_proxy(await well_rendered(renderer, REAL_PHOTOS / name)) for name in (deep, same)]

    difference = ImageStat.Stat(ImageChops.difference(*pictures)).mean

    assert max(difference) < 4


async def test_an_honest_picture_of_200_megapixels_passes_within_the_limits() -> None:
    others = children_of_this_process()
    # What is promised is memory and processor time; how long that takes depends on who else computes.
    async with a_renderer(limits=DecodeLimits(wall_seconds=300)) as renderer:
        picture = await well_rendered(renderer, REAL_PHOTOS / "heic_200mp.heic")
        (child,) = set(children_of_this_process()) - set(others)
        peak = peak_memory_of(child)

    assert (picture.metadata.width, picture.metadata.height) == (12_240, 16_320)
    assert picture.metadata.place is None, "its rationals are 0/0"
    assert opened_proxy(picture).size == (1440, 1920)
    assert peak < 2048 * MIB


class Watched(IsolatedRenderer):
    """Lets huge pictures wait until a small one is done, and knows how many were at work at once."""

    def __init__(self) -> None:
        super().__init__(children=3, limits=DecodeLimits(huge_pixels=1_000_000))
        self.huge_one_is_at_work = asyncio.Event()
        self.small_is_done = asyncio.Event()
        self.huge_at_work = 0
        self.most_huge_at_work = 0

    async def _ask(self, request: Request, file: OpenFile) -> Reply | Died | Unheard:
        if not isinstance(request, Render) or not request.may_be_huge:
            return await super()._ask(request, file)
        self.huge_at_work += 1
        self.huge_one_is_at_work.set()
        self.most_huge_at_work = max(self.most_huge_at_work, self.huge_at_work)
        await self.small_is_done.wait()
        answer = await super()._ask(request, file)
        self.huge_at_work -= 1
        return answer


async def test_huge_pictures_are_decoded_one_at_a_time_and_small_ones_meanwhile(tmp_path: Path) -> None:
    huge = written(tmp_path / "huge", a_jpeg((1500, 1500)))
    small = written(tmp_path / "small", a_jpeg())

    async with Watched() as renderer, asyncio.TaskGroup() as group:
        answers = [group.create_task(rendered(renderer, huge)) for _ in range(2)]
        await renderer.huge_one_is_at_work.wait()
        assert isinstance(await rendered(renderer, small), Rendered)
        renderer.small_is_done.set()

    assert [type(answer.result()) for answer in answers] == [Rendered, Rendered]
    assert renderer.most_huge_at_work == 1


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.99])
async def test_a_heic_that_ends_too_early_is_no_picture_with_holes(
    renderer: IsolatedRenderer, tmp_path: Path, kept: float
) -> None:
    content = (REAL_PHOTOS / "heic_iphone_live.HEIC").read_bytes()

    answer = await rendered(renderer, written(tmp_path / "photo", content[: int(len(content) * kept)]))

    assert answer == Unrenderable(FailureReason.TRUNCATED)
