"""The small pictures that are made of a large one, and its blurhash. Runs in a decode child."""

from dataclasses import dataclass
from io import BytesIO
from typing import Final

from blurhash_rs import blurhash_encode
from PIL import Image, ImageFile

from adapters.media.colour import resizable, to_srgb
from domain.media.metadata import Orientation
from domain.media.proxy import ProxyImage, ProxyKind

BLURHASH_SIDE: Final = 32
BLURHASH_PARTS: Final = (4, 3)

TRANSPOSITIONS: Final = {
    Orientation.MIRRORED: Image.Transpose.FLIP_LEFT_RIGHT,
    Orientation.UPSIDE_DOWN: Image.Transpose.ROTATE_180,
    Orientation.FLIPPED: Image.Transpose.FLIP_TOP_BOTTOM,
    Orientation.TRANSPOSED: Image.Transpose.TRANSPOSE,
    Orientation.ON_ITS_LEFT: Image.Transpose.ROTATE_270,
    Orientation.TRANSVERSED: Image.Transpose.TRANSVERSE,
    Orientation.ON_ITS_RIGHT: Image.Transpose.ROTATE_90,
}

Size = tuple[int, int]

# The memory of one picture serves the next: asking the kernel for fresh pages costs up to 20 ms a picture.
Image.core.set_blocks_max(4)  # type: ignore[attr-defined]
# Decoders start again at each piece of a file that they are handed.
ImageFile.MAXBLOCK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Proxies:
    """Upright, in sRGB, without any metadata."""

    images: tuple[ProxyImage, ...]
    blurhash: str


def proxies_of(image: Image.Image, size: Size, orientation: Orientation) -> Proxies:
    """Make them of a decoded picture whose full size is `size`; it may have been decoded at a fraction of that."""
    preview = _preview(image, fitting(size, ProxyKind.PREVIEW.longest_side))
    thumbnail = _scaled(preview, fitting(preview.size, ProxyKind.THUMBNAIL.longest_side))
    thumbnail = _upright(thumbnail, orientation)
    return Proxies(
        images=(
            _encoded(ProxyKind.THUMBNAIL, thumbnail),
            _encoded(ProxyKind.PREVIEW, _upright(preview, orientation)),
        ),
        blurhash=_blurhash(thumbnail),
    )


def fitting(size: Size, longest_side: int) -> Size:
    """The size with the same proportions whose longer side is at most `longest_side`; never larger, never 0."""
    longer = max(size)
    if longer <= longest_side:
        return size
    width, height = (max(1, round(side * longest_side / longer)) for side in size)
    return width, height


def _preview(image: Image.Image, size: Size) -> Image.Image:
    if image.mode == "YCbCr" and image.width <= 2 * size[0] and image.height <= 2 * size[1]:
        return _scaled_in_luma(image, size)
    # Scaled first: converting then costs a fraction.
    return to_srgb(_scaled(resizable(image), size))


def _scaled_in_luma(image: Image.Image, size: Size) -> Image.Image:
    """The picture at `size`, which is at least half of its own: luma scaled with care, chroma by picking pixels.

    Of chroma the encoder keeps the mean of every two by two pixels. They come from all over what these four
    stand for, so that mean is as good as a careful one, and two thirds of the costly scaling are saved.
    """
    if image.size == size:
        return image
    preview = image.resize(size, Image.Resampling.NEAREST)
    # To merge the planes anew would mean to split all of them first.
    preview.im.putband(_scaled(image.getchannel("Y"), size).im, 0)
    return preview


def _scaled(image: Image.Image, size: Size) -> Image.Image:
    if image.size == size:
        return image
    return image.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)


def _upright(picture: Image.Image, orientation: Orientation) -> Image.Image:
    transposition = TRANSPOSITIONS.get(orientation)
    return picture if transposition is None else picture.transpose(transposition)


def _encoded(kind: ProxyKind, picture: Image.Image) -> ProxyImage:
    # The encoder would copy a comment out of the original.
    picture.info.clear()
    content = BytesIO()
    picture.save(content, "JPEG", quality=kind.quality)
    return ProxyImage(kind, picture.width, picture.height, content.getvalue())


def _blurhash(thumbnail: Image.Image) -> str:
    small = _scaled(thumbnail, fitting(thumbnail.size, BLURHASH_SIDE))
    return blurhash_encode(small.convert("RGB"), *BLURHASH_PARTS)
