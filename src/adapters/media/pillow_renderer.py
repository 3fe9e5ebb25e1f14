"""Decoding and scaling with Pillow. Runs in a decode child."""

from collections.abc import Mapping
from io import BytesIO
from typing import BinaryIO, Final

from blurhash_rs import blurhash_encode
from PIL import AvifImagePlugin, ExifTags, Image, ImageFile, TiffImagePlugin, UnidentifiedImageError

from adapters.media.colour import resizable, to_srgb
from adapters.media.exif_reader import Tags, read_tags
from adapters.media.wire import DecodeLimits
from application.ports.image_renderer import Rendered, Unrenderable
from domain.media.content import MediaType
from domain.media.failure import FailureReason
from domain.media.metadata import Metadata, Orientation, orientation_of
from domain.media.proxy import ProxyImage, ProxyKind

# Ours is checked from the header, before a pixel is decoded: Pillow's would refuse honest phone pictures.
Image.MAX_IMAGE_PIXELS = None
# Threads of a decoder's own would escape the count of children.
AvifImagePlugin.DEFAULT_MAX_THREADS = 1

FORMATS: Final[Mapping[MediaType, tuple[str, ...]]] = {
    MediaType.JPEG: ("JPEG",),
    MediaType.PNG: ("PNG",),
    MediaType.GIF: ("GIF",),
    MediaType.WEBP: ("WEBP",),
    MediaType.TIFF: ("TIFF",),
    MediaType.BMP: ("BMP",),
    MediaType.AVIF: ("AVIF",),
}
"""The only decoder that is tried for a type. Formats that no camera writes have none."""

LONGEST_SIDE: Final = 65_535
BLURHASH_SIDE: Final = 32
BLURHASH_PARTS: Final = (4, 3)

TRANSPOSITIONS: Final[Mapping[Orientation, Image.Transpose]] = {
    Orientation.MIRRORED: Image.Transpose.FLIP_LEFT_RIGHT,
    Orientation.UPSIDE_DOWN: Image.Transpose.ROTATE_180,
    Orientation.FLIPPED: Image.Transpose.FLIP_TOP_BOTTOM,
    Orientation.TRANSPOSED: Image.Transpose.TRANSPOSE,
    Orientation.ON_ITS_LEFT: Image.Transpose.ROTATE_270,
    Orientation.TRANSVERSED: Image.Transpose.TRANSVERSE,
    Orientation.ON_ITS_RIGHT: Image.Transpose.ROTATE_90,
}


def render(file: BinaryIO, media_type: MediaType, limits: DecodeLimits) -> Rendered | Unrenderable:
    """Decode the first picture of a file, or say why not. Only `MemoryError` may leave it."""
    try:
        with Image.open(file, formats=FORMATS[media_type]) as image:
            if _is_too_large(image, limits):
                return Unrenderable(FailureReason.TOO_MANY_PIXELS)
            return _rendered(image)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 -- decoders raise whatever a broken file leads them to
        return Unrenderable(_reason(error))


def _is_too_large(image: ImageFile.ImageFile, limits: DecodeLimits) -> bool:
    width, height = image.size
    is_scaled = image.format in {"JPEG", "MPO"} and not image.info.get("progressive")
    most = limits.most_pixels_scaled if is_scaled else limits.most_pixels
    return width * height > most or max(width, height) > LONGEST_SIDE


def _rendered(image: ImageFile.ImageFile) -> Rendered:
    size = image.size
    # Pillow turns TIFFs by itself when it loads them, and forgets the tag.
    turned = (
        image.tag_v2.get(ExifTags.Base.Orientation)
        if isinstance(image, TiffImagePlugin.TiffImageFile)
        else None
    )
    image.draft("", _fitting(size, ProxyKind.PREVIEW.longest_side))
    image.load()
    tags = read_tags(image)
    preview = _preview(image, size, tags.orientation)
    thumbnail = _scaled(preview, _fitting(preview.size, ProxyKind.THUMBNAIL.longest_side))
    return Rendered(
        metadata=_metadata(size, tags, orientation_of(turned)),
        date_claims=tags.date_claims,
        proxies=(_encoded(ProxyKind.THUMBNAIL, thumbnail), _encoded(ProxyKind.PREVIEW, preview)),
        blurhash=_blurhash(thumbnail),
    )


def _metadata(size: tuple[int, int], tags: Tags, turned: Orientation) -> Metadata:
    width, height = reversed(size) if tags.orientation.swaps_sides else size
    return Metadata(
        width=width,
        height=height,
        orientation=turned if turned is not Orientation.UPRIGHT else tags.orientation,
        place=tags.place,
        camera_make=tags.camera_make,
        camera_model=tags.camera_model,
        lens_model=tags.lens_model,
    )


def _preview(image: Image.Image, size: tuple[int, int], orientation: Orientation) -> Image.Image:
    # Scaled first: turning and converting then cost a fraction.
    target = _fitting(size, ProxyKind.PREVIEW.longest_side)
    picture = to_srgb(_scaled(resizable(image), target))
    transposition = TRANSPOSITIONS.get(orientation)
    return picture if transposition is None else picture.transpose(transposition)


def _fitting(size: tuple[int, int], longest_side: int) -> tuple[int, int]:
    """The size with the same proportions whose longer side is at most `longest_side`; never larger, never 0."""
    longer = max(size)
    if longer <= longest_side:
        return size
    width, height = (max(1, round(side * longest_side / longer)) for side in size)
    return width, height


def _scaled(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    if image.size == size:
        return image
    return image.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)


def _encoded(kind: ProxyKind, picture: Image.Image) -> ProxyImage:
    # The encoder would copy a comment out of the original.
    picture.info.clear()
    content = BytesIO()
    picture.save(content, "JPEG", quality=kind.quality)
    return ProxyImage(kind, picture.width, picture.height, content.getvalue())


def _blurhash(thumbnail: Image.Image) -> str:
    return blurhash_encode(_scaled(thumbnail, _fitting(thumbnail.size, BLURHASH_SIDE)), *BLURHASH_PARTS)


def _reason(error: Exception) -> FailureReason:
    if isinstance(error, UnidentifiedImageError):
        return FailureReason.DAMAGED
    if isinstance(error, OSError) and error.errno is not None:
        return FailureReason.UNREADABLE
    return FailureReason.TRUNCATED if "truncated" in str(error).lower() else FailureReason.DAMAGED
