"""How good previews are: against every pixel decoded and the best filter, over real photos.

    python benchmarks/quality.py [PHOTO ...]

For each JPEG: the signal-to-noise ratio of the preview that a crawl makes (dB, more is better), beside those of the
slowest way to make one and of the plain ways with Pillow. All are compared with the slowest way before its JPEG
encoding, so that even that way does not get full marks. Processor time is for decoding, scaling and encoding.
"""

import argparse
import math
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops, ImageOps, ImageStat

from adapters.media.pillow_renderer import render
from adapters.media.wire import DecodeLimits
from application.ports.image_renderer import Rendered
from domain.media.content import MediaType
from domain.media.proxy import ProxyKind

SAMPLES = Path(__file__).parents[1] / "tests" / "data" / "media"
LONGEST, QUALITY = ProxyKind.PREVIEW.longest_side, ProxyKind.PREVIEW.quality
TIMES = 3

Way = Callable[[Path], bytes]


def main() -> None:
    """Measure, then print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photos", type=Path, nargs="*", default=[SAMPLES / "phone_orient6_subsec4.jpg"])
    photos: list[Path] = parser.parse_args().photos
    for photo in photos:
        best = reference(photo)
        print(f"{photo.name}, preview {best.width} x {best.height}")
        for name, way in WAYS.items():
            content, seconds = fastest(way, photo)
            print(f"    {name:24}{decibels(best, content):6.2f} dB {1000 * seconds:7.1f} ms")


def reference(photo: Path) -> Image.Image:
    """All pixels, the best filter, upright; not encoded."""
    with Image.open(photo) as image:
        upright = ImageOps.exif_transpose(image).convert("RGB")
    upright.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS, reducing_gap=None)
    return upright


def slowest(photo: Path) -> bytes:
    """The reference, encoded."""
    return encoded(reference(photo))


def drafted(scale: Image.Resampling) -> Way:
    """Decoded at a fraction in RGB, then scaled with this filter."""

    def way(photo: Path) -> bytes:
        with Image.open(photo) as image:
            longer = max(image.size)
            width, height = (max(1, round(side * min(1, LONGEST / longer))) for side in image.size)
            image.draft("", (width, height))
            scaled = image.resize((width, height), scale)
            return encoded(ImageOps.exif_transpose(scaled))

    return way


def crawled(photo: Path) -> bytes:
    """As a decode child makes it, thumbnail and tags and all."""
    with photo.open("rb") as file:
        answer = render(file, MediaType.JPEG, DecodeLimits(), may_be_huge=True)
    assert isinstance(answer, Rendered), answer
    (preview,) = (proxy for proxy in answer.proxies if proxy.kind is ProxyKind.PREVIEW)
    return preview.content


WAYS: dict[str, Way] = {
    "all pixels, LANCZOS": slowest,
    "fraction, RGB, BICUBIC": drafted(Image.Resampling.BICUBIC),
    "fraction, RGB, HAMMING": drafted(Image.Resampling.HAMMING),
    "a crawl, whole": crawled,
}


def encoded(picture: Image.Image) -> bytes:
    """As a preview is encoded."""
    content = BytesIO()
    picture.save(content, "JPEG", quality=QUALITY)
    return content.getvalue()


def fastest(way: Way, photo: Path) -> tuple[bytes, float]:
    """What a way makes, and the least processor time that it took."""
    content, seconds = b"", math.inf
    for _ in range(TIMES):
        began = time.process_time()
        content = way(photo)
        seconds = min(seconds, time.process_time() - began)
    return content, seconds


def decibels(best: Image.Image, content: bytes) -> float:
    """How little a JPEG differs from the reference, as the ratio of the largest signal to the noise."""
    with Image.open(BytesIO(content)) as picture:
        squares = ImageStat.Stat(ImageChops.difference(best, picture.convert("RGB"))).sum2
    return 10 * math.log10(255**2 / (sum(squares) / (best.width * best.height * len(squares))))


if __name__ == "__main__":
    main()
