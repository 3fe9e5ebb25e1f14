"""Decoding of pictures with Pillow, and of HEIC with pi_heif behind it. Runs in a decode child."""

import os
from collections.abc import Mapping
from typing import BinaryIO, Final

import pi_heif  # type: ignore[import-untyped]
from PIL import (
    AvifImagePlugin,
    ExifTags,
    Image,
    ImageFile,
    JpegImagePlugin,
    TiffImagePlugin,
    UnidentifiedImageError,
)

from adapters.media.colour import is_srgb
from adapters.media.exif_reader import Tags, read_tags
from adapters.media.heif_boxes import LARGEST_DESCRIPTION, is_cut_off, turns_its_picture
from adapters.media.proxies import fitting, proxies_of
from adapters.media.wire import DecodeLimits, HugeReply
from application.ports.image_renderer import Rendered, Unrenderable
from domain.media.content import MediaType
from domain.media.failure import FailureReason
from domain.media.metadata import Metadata, Orientation, orientation_of
from domain.media.proxy import ProxyKind

# Ours is checked from the header, before a pixel is decoded: Pillow's would refuse honest phone pictures.
Image.MAX_IMAGE_PIXELS = None
# Threads of a decoder's own would escape the count of children.
AvifImagePlugin.DEFAULT_MAX_THREADS = 1
pi_heif.register_heif_opener(decode_threads=1, thumbnails=False, depth_images=False, aux_images=False)

FORMATS: Final[Mapping[MediaType, tuple[str, ...]]] = {
    MediaType.JPEG: ("JPEG",),
    MediaType.PNG: ("PNG",),
    MediaType.GIF: ("GIF",),
    MediaType.WEBP: ("WEBP",),
    MediaType.TIFF: ("TIFF",),
    MediaType.BMP: ("BMP",),
    MediaType.HEIC: ("HEIF",),
    MediaType.AVIF: ("AVIF",),
}
"""The only decoder that is tried for a type. Formats that no camera writes have none."""

LONGEST_SIDE: Final = 65_535


def render(
    file: BinaryIO, media_type: MediaType, limits: DecodeLimits, *, may_be_huge: bool
) -> Rendered | Unrenderable | HugeReply:
    """Decode the first picture of a file, or say why not. Only `MemoryError` may leave it."""
    try:
        with Image.open(file, formats=FORMATS[media_type]) as image:
            if _is_too_large(image, limits):
                return Unrenderable(FailureReason.TOO_MANY_PIXELS)
            size = image.size
            image.draft(_cheapest_mode(image), fitting(size, ProxyKind.PREVIEW.longest_side))
            if image.width * image.height > limits.huge_pixels and not may_be_huge:
                return HugeReply()
            if isinstance(image, pi_heif.HeifImageFile) and is_cut_off(file):
                return Unrenderable(FailureReason.TRUNCATED)
            return _rendered(image, file, size)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 -- decoders raise whatever a broken file leads them to
        return Unrenderable(_reason(error, file, media_type))


def _is_too_large(image: ImageFile.ImageFile, limits: DecodeLimits) -> bool:
    width, height = image.size
    is_scaled = image.format in {"JPEG", "MPO"} and not image.info.get("progressive")
    most = limits.most_pixels_scaled if is_scaled else limits.most_pixels
    return width * height > most or max(width, height) > LONGEST_SIDE


def _cheapest_mode(image: ImageFile.ImageFile) -> str:
    """JPEG stores YCbCr and is written as YCbCr again: what needs no other colours is never turned into RGB."""
    is_converted = isinstance(image, JpegImagePlugin.JpegImageFile) and image.mode == "RGB"
    return "YCbCr" if is_converted and _stores_ycbcr(image) and is_srgb(image) else ""


def _stores_ycbcr(image: ImageFile.ImageFile) -> bool:
    """What libjpeg makes of the marks in the file; it cannot turn any other three colours into YCbCr."""
    if "jfif" in image.info:
        return True
    if "adobe" in image.info:
        return image.info.get("adobe_transform") == 1
    return [component[0] for component in getattr(image, "layer", ())] == [1, 2, 3]


def _rendered(image: ImageFile.ImageFile, file: BinaryIO, size: tuple[int, int]) -> Rendered:
    taken_away = _taken_away(image)
    is_turned = _turns_by_itself(image, file)
    image.load()
    tags = read_tags(image)
    stored = tags.orientation if taken_away is None else taken_away
    to_do = Orientation.UPRIGHT if is_turned else stored
    proxies = proxies_of(image, size, to_do)
    return Rendered(
        metadata=_metadata(size if not to_do.swaps_sides else (size[1], size[0]), stored, tags),
        date_claims=tags.date_claims,
        proxies=proxies.images,
        blurhash=proxies.blurhash,
    )


def _taken_away(image: ImageFile.ImageFile) -> Orientation | None:
    """The orientation in the file where a decoder forgets it or makes it upright, else None."""
    if isinstance(image, TiffImagePlugin.TiffImageFile):
        return orientation_of(image.tag_v2.get(ExifTags.Base.Orientation))
    if isinstance(image, pi_heif.HeifImageFile):
        return orientation_of(image.info.get("original_orientation"))
    return None


def _turns_by_itself(image: ImageFile.ImageFile, file: BinaryIO) -> bool:
    if isinstance(image, pi_heif.HeifImageFile):
        file.seek(0)
        return turns_its_picture(file.read(LARGEST_DESCRIPTION))
    return isinstance(image, TiffImagePlugin.TiffImageFile)


def _metadata(size: tuple[int, int], stored: Orientation, tags: Tags) -> Metadata:
    width, height = size
    return Metadata(
        width=width,
        height=height,
        orientation=stored,
        place=tags.place,
        camera_make=tags.camera_make,
        camera_model=tags.camera_model,
        lens_model=tags.lens_model,
        content_identifier=tags.content_identifier,
    )


def _reason(error: Exception, file: BinaryIO, media_type: MediaType) -> FailureReason:
    if (
        isinstance(error, OSError)
        and error.errno is not None
        and not isinstance(error, UnidentifiedImageError)
    ):
        return FailureReason.UNREADABLE
    if "truncated" in str(error).lower() or _ends_early(file, media_type):
        return FailureReason.TRUNCATED
    return FailureReason.DAMAGED


def _ends_early(file: BinaryIO, media_type: MediaType) -> bool:
    """Whether a file that could not be decoded says itself that there should be more of it."""
    match media_type:
        case MediaType.AVIF:
            return is_cut_off(file)
        case MediaType.WEBP:
            file.seek(RIFF_LENGTH_AT)
            promised = int.from_bytes(file.read(4), "little") + RIFF_HEADER
            return promised > file.seek(0, os.SEEK_END)
        case _:
            return False


RIFF_LENGTH_AT: Final = 4
RIFF_HEADER: Final = 8
