"""Files of which a part is missing: a picture with a hole is never taken for the picture."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from PIL import Image

from adapters.media.isolated_renderer import IsolatedRenderer
from application.ports.image_renderer import Rendered, Unrenderable
from domain.media.failure import FailureReason
from tests.support.photos import a_renderer, encoded, rendered, written

pytestmark = pytest.mark.asyncio(loop_scope="module")

TRUNCATED, DAMAGED = FailureReason.TRUNCATED, FailureReason.DAMAGED


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def renderer() -> AsyncIterator[IsolatedRenderer]:
    async with a_renderer() as one:
        yield one


def noise(size: tuple[int, int]) -> Image.Image:
    """A picture that no format makes small, so that every part of the file is pixels."""
    return Image.merge("RGB", [Image.effect_noise(size, 60) for _ in range(3)])


@pytest.mark.parametrize("kept", [0.3, 0.5, 0.9, 0.99])
@pytest.mark.parametrize(
    ("file_format", "size", "options", "reason"),
    [
        ("JPEG", (400, 300), {}, TRUNCATED),
        ("JPEG", (2400, 1600), {}, TRUNCATED),
        ("JPEG", (400, 300), {"progressive": True}, TRUNCATED),
        ("JPEG", (2400, 1600), {"progressive": True}, TRUNCATED),
        ("PNG", (400, 300), {}, TRUNCATED),
        ("GIF", (400, 300), {}, TRUNCATED),
        ("WEBP", (400, 300), {}, TRUNCATED),
        ("AVIF", (400, 300), {}, TRUNCATED),
        ("BMP", (400, 300), {}, TRUNCATED),
        ("TIFF", (400, 300), {}, TRUNCATED),
        ("TIFF", (400, 300), {"compression": "tiff_lzw"}, DAMAGED),
        ("TIFF", (400, 300), {"compression": "jpeg"}, DAMAGED),
    ],
)
async def test_a_file_that_ends_early_fails_with_its_reason(  # noqa: PLR0913, PLR0917 -- one a column
    renderer: IsolatedRenderer,
    tmp_path: Path,
    kept: float,
    file_format: str,
    size: tuple[int, int],
    options: dict[str, Any],
    reason: FailureReason,
) -> None:
    content = encoded(noise(size), file_format, **options)
    photo = written(tmp_path / "photo", content)
    assert isinstance(await rendered(renderer, photo), Rendered)

    assert await rendered(renderer, written(photo, content[: int(len(content) * kept)])) == Unrenderable(
        reason
    )


async def test_a_whole_file_that_makes_no_sense_is_damaged(
    renderer: IsolatedRenderer, tmp_path: Path
) -> None:
    webp = b"RIFF\x48\0\0\0WEBPVP8 " + b"\xff" * 64

    assert await rendered(renderer, written(tmp_path / "photo", webp)) == Unrenderable(DAMAGED)
