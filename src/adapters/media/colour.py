"""From whatever a file holds to eight bits of sRGB. Runs in a decode child."""

from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageCms

BACKGROUND: Final = (255, 255, 255)
"""What shows through transparent parts."""

RESIZABLE: Final = frozenset({"L", "LA", "RGB", "RGBA", "CMYK"})
PROFILE_SPACES: Final[Mapping[str, str]] = {"RGB": "RGB ", "CMYK": "CMYK"}


def is_srgb(image: Image.Image) -> bool:
    """Whether its numbers mean what they say, with no profile to go through."""
    profile = image.info.get("icc_profile")
    return (
        not isinstance(profile, bytes)
        or image.mode not in PROFILE_SPACES
        or _transform(profile, image.mode) is None
    )


def resizable(image: Image.Image) -> Image.Image:
    """The picture in a mode of eight bits a channel, in which pixels can be blended."""
    if image.mode.startswith("I") or image.mode == "F":
        return _eight_bits(image)
    if "transparency" in image.info:
        return image.convert("RGBA")
    if image.mode in RESIZABLE:
        return image
    if image.mode == "1":
        return image.convert("L")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def to_srgb(image: Image.Image) -> Image.Image:
    """RGB without transparency; converted through the embedded profile unless that is sRGB."""
    if image.mode in {"LA", "RGBA"}:
        return _through_profile(_flattened(image), image.info.get("icc_profile"))
    return _through_profile(image, image.info.get("icc_profile"))


def _eight_bits(image: Image.Image) -> Image.Image:
    """Grey of 16 or 32 bits, or of floating point. A plain convert would clip it to white."""
    wide = image.convert("F")
    darkest, lightest = wide.getextrema()
    if not isinstance(lightest, float) or not isinstance(darkest, float):
        return image.convert("L")
    if image.mode.startswith("I;16") or (image.mode == "I" and 255 < lightest <= 65535):  # noqa: PLR2004
        darkest, lightest = 0.0, 65535.0
    elif darkest >= 0 and lightest <= 255:  # noqa: PLR2004 -- eight bits already
        return image.convert("L")
    scale = 255.0 / max(lightest - darkest, 1e-9)
    return wide.point(lambda value: value * scale - darkest * scale).convert("L")


def _flattened(image: Image.Image) -> Image.Image:
    picture = Image.new("RGB", image.size, BACKGROUND)
    opaque = image.convert("RGBA")
    picture.paste(opaque, mask=opaque.getchannel("A"))
    return picture


def _through_profile(image: Image.Image, profile: object) -> Image.Image:
    if isinstance(profile, bytes) and image.mode in PROFILE_SPACES:
        transform = _transform(profile, image.mode)
        if transform is not None:
            converted = ImageCms.applyTransform(image, transform)
            return image.convert("RGB") if converted is None else converted
    return image.convert("RGB")


@lru_cache(maxsize=16)
def _transform(profile: bytes, mode: str) -> ImageCms.ImageCmsTransform | None:
    """How to get to sRGB, or None where nothing is to be done or the profile is of no use.

    Kept, because a camera writes the same profile into every file.
    """
    try:
        embedded = ImageCms.ImageCmsProfile(BytesIO(profile))
        if embedded.profile.xcolor_space != PROFILE_SPACES[mode] or _describes_srgb(embedded):
            return None
        return ImageCms.buildTransform(embedded, ImageCms.createProfile("sRGB"), mode, "RGB")
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return None


def _describes_srgb(profile: ImageCms.ImageCmsProfile) -> bool:
    return "srgb" in (profile.profile.profile_description or "").lower()
