"""Pictures to test with, real ones and made ones, and ways to take them in."""

import os
import stat
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image

from adapters.media.isolated_renderer import IsolatedRenderer
from adapters.media.wire import DecodeLimits
from application.ports.file_tree import OpenFile
from application.ports.image_renderer import Identified, ImageRenderer, Rendered, Unrenderable
from domain.media.file import FileSignature
from domain.media.place import Place
from domain.media.proxy import ProxyKind

REAL_PHOTOS: Final = Path(__file__).parents[1] / "data" / "media"

RED: Final = (220, 30, 30)
GREEN: Final = (30, 180, 30)
BLUE: Final = (30, 30, 220)
YELLOW: Final = (220, 220, 30)

NOBODY: Final = 65_534
SIGNATURE: Final = FileSignature(size=1, mtime_ns=2, ctime_ns=3, inode=4)

Colour = tuple[int, int, int]


def a_jpeg(size: tuple[int, int] = (64, 48), colour: Colour = RED, **save: Any) -> bytes:  # noqa: ANN401
    """A JPEG of one colour. Different colours make different contents."""
    return encoded(Image.new("RGB", size, colour), "JPEG", **save)


def encoded(image: Image.Image, file_format: str = "PNG", **save: Any) -> bytes:  # noqa: ANN401
    """The bytes of a picture as a file has them."""
    content = BytesIO()
    image.save(content, file_format, **save)
    return content.getvalue()


def exif(
    main: Mapping[int, object],
    details: Mapping[int, object] | None = None,
    gps: Mapping[int, object] | None = None,
) -> Image.Exif:
    """An EXIF block of these tags."""
    block = Image.Exif()
    block.update(main)
    block.get_ifd(0x8769).update(details or {})
    block.get_ifd(0x8825).update(gps or {})
    return block


def four_corners(size: tuple[int, int] = (400, 200)) -> Image.Image:
    """Red top left, green top right, blue bottom left, yellow bottom right."""
    width, height = size
    image = Image.new("RGB", size, RED)
    image.paste(GREEN, (width // 2, 0, width, height // 2))
    image.paste(BLUE, (0, height // 2, width // 2, height))
    image.paste(YELLOW, (width // 2, height // 2, width, height))
    return image


def corner_colours(picture: Image.Image) -> tuple[Colour, Colour, Colour, Colour]:
    """The nearest of the four colours in each corner: top left, top right, bottom left, bottom right."""
    right, bottom = picture.width - 1, picture.height - 1
    at = [(0, 0), (right, 0), (0, bottom), (right, bottom)]
    top_left, top_right, bottom_left, bottom_right = (_nearest(pixel(picture, place)) for place in at)
    return top_left, top_right, bottom_left, bottom_right


def pixel(picture: Image.Image, place: tuple[int, int]) -> Colour:
    """The colour of one pixel of an RGB picture."""
    value = picture.getpixel(place)
    assert isinstance(value, tuple)
    red, green, blue = value
    return red, green, blue


def rounded(place: Place | None) -> tuple[float, float] | None:
    """A place to six digits, about ten centimetres."""
    return None if place is None else (round(place.latitude, 6), round(place.longitude, 6))


def opened_proxy(rendered: Rendered, kind: ProxyKind = ProxyKind.PREVIEW) -> Image.Image:
    """A proxy as a browser would see it."""
    (proxy,) = (one for one in rendered.proxies if one.kind is kind)
    picture = Image.open(BytesIO(proxy.content))
    picture.load()
    return picture


def written(path: Path, content: bytes) -> Path:
    """The path, where a file of this content is now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@asynccontextmanager
async def a_renderer(
    *, children: int = 1, limits: DecodeLimits | None = None
) -> AsyncIterator[IsolatedRenderer]:
    """The real renderer with real children."""
    async with IsolatedRenderer(children=children, limits=limits or DecodeLimits()) as renderer:
        yield renderer


@contextmanager
def open_file(path: Path) -> Iterator[OpenFile]:
    """A file as the renderer gets it."""
    with path.open("rb") as file:
        yield OpenFile(file.fileno(), SIGNATURE)


async def identified(renderer: ImageRenderer, path: Path) -> Identified | Unrenderable:
    """Type and hash of one file."""
    with open_file(path) as file:
        return await renderer.identify(file)


async def rendered(renderer: ImageRenderer, path: Path) -> Rendered | Unrenderable:
    """The whole way of one file through a renderer."""
    with open_file(path) as file:
        match await renderer.identify(file):
            case Identified(media_type):
                return await renderer.render(file, media_type)
            case Unrenderable() as failure:
                return failure


async def well_rendered(renderer: ImageRenderer, path: Path) -> Rendered:
    """The same; asserts that it went well."""
    answer = await rendered(renderer, path)
    assert isinstance(answer, Rendered), answer
    return answer


@contextmanager
def without_rights() -> Iterator[Path]:
    """A folder of somebody who is not root, and that somebody at work: permissions count for nothing to root."""
    with TemporaryDirectory() as folder:
        path = Path(folder)
        if os.geteuid() != 0:
            yield path
            return
        path.chmod(0o755)
        os.chown(path, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield path
        finally:
            os.seteuid(0)
            for below in path.rglob("*"):
                below.chmod(stat.S_IRWXU)


def _nearest(colour: Colour) -> Colour:
    return min(
        (RED, GREEN, BLUE, YELLOW),
        key=lambda known: sum(abs(a - b) for a, b in zip(colour, known, strict=True)),
    )
