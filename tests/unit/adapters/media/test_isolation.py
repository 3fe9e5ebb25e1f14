"""What hostile files, and accidents, may cost: their own outcome and nothing else."""

import asyncio
import os
import signal
import zlib
from pathlib import Path

import pytest

from adapters.media.isolated_renderer import IsolatedRenderer
from adapters.media.wire import DecodeLimits
from application.ports.image_renderer import Identified, Rendered, Unrenderable
from domain.media.content import ContentHash, MediaType
from domain.media.failure import FailureReason
from tests.support.children import (
    children_of_this_process,
    wait_until_busy,
    wait_until_gone,
)
from tests.support.photos import BLUE, a_jpeg, a_renderer, identified, rendered, written

MIB = 1024 * 1024


@pytest.fixture(autouse=True)
def no_children() -> None:
    """Let those of an earlier test finish dying."""
    wait_until_gone(children_of_this_process())


def flat_png(width: int, height: int) -> bytes:
    """A PNG of one grey that is tiny as a file, whatever its size."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return len(content).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")

    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    packer = zlib.compressobj(1)
    row = bytes(1 + 3 * width)
    pixels = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


async def outcome(renderer: IsolatedRenderer, photo: Path, content: bytes) -> Rendered | Unrenderable:
    return await rendered(renderer, written(photo, content))


async def assert_still_works(renderer: IsolatedRenderer, photo: Path) -> None:
    assert isinstance(await outcome(renderer, photo, a_jpeg()), Rendered)


async def test_the_hash_is_blake3_of_all_bytes(tmp_path: Path) -> None:
    written(tmp_path / "photo", b"\xff\xd8\xff" + bytes(range(256)) * 10_000)

    async with a_renderer() as renderer:
        answer = await identified(renderer, tmp_path / "photo")

    # Pinned: were the hash to change, every library would be read anew.
    digest = "a15e457699d5c4d3a58dae2c3156a66e78993a0d8d1d66390d921b6243120ab7"
    assert answer == Identified(MediaType.JPEG, ContentHash(bytes.fromhex(digest)))


async def test_a_picture_that_needs_too_much_memory_fails_alone(tmp_path: Path) -> None:
    limits = DecodeLimits(memory_bytes=300 * MIB)

    async with a_renderer(limits=limits) as renderer:
        answer = await outcome(renderer, tmp_path / "bomb", flat_png(10_000, 10_000))

        assert answer == Unrenderable(FailureReason.OUT_OF_MEMORY)
        await assert_still_works(renderer, tmp_path / "photo")


async def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    limits = DecodeLimits(most_pixels=1_000_000, most_pixels_scaled=2_000_000)

    async with a_renderer(limits=limits) as renderer:
        # A baseline JPEG is decoded at a fraction of its size, so more of it is allowed.
        outcomes = [
            await outcome(renderer, tmp_path / "photo", content)
            for content in (
                flat_png(1000, 1001),
                a_jpeg((1000, 1001)),
                a_jpeg((1000, 1001), progressive=True),
                a_jpeg((2000, 1001)),
            )
        ]

    refused = Unrenderable(FailureReason.TOO_MANY_PIXELS)
    assert [answer if answer == refused else type(answer) for answer in outcomes] == [
        refused,
        Rendered,
        refused,
        refused,
    ]


async def test_a_file_that_keeps_the_decoder_busy_is_ended(tmp_path: Path) -> None:
    # Pillow looks for a marker byte by byte.
    busy = b"\xff\xd8\xff" + bytes(60 * MIB)

    async with a_renderer(limits=DecodeLimits(cpu_seconds=1)) as renderer:
        answer = await outcome(renderer, tmp_path / "busy", busy)

        assert answer == Unrenderable(FailureReason.TIMED_OUT)
        await assert_still_works(renderer, tmp_path / "photo")


async def test_a_child_that_hangs_without_computing_is_ended(tmp_path: Path) -> None:
    async with a_renderer(limits=DecodeLimits(wall_seconds=1.0)) as renderer:
        await assert_still_works(renderer, tmp_path / "photo")
        (child,) = children_of_this_process()
        os.kill(child, signal.SIGSTOP)

        answer = await outcome(renderer, tmp_path / "photo", a_jpeg())

        assert answer == Unrenderable(FailureReason.NO_ANSWER)
        await assert_still_works(renderer, tmp_path / "photo")


@pytest.mark.parametrize(
    ("death", "reason"),
    [
        (signal.SIGSEGV, FailureReason.DECODER_CRASHED),
        (signal.SIGKILL, FailureReason.OUT_OF_MEMORY),
    ],
)
async def test_a_child_that_dies_at_work_takes_one_file_with_it(
    tmp_path: Path, death: signal.Signals, reason: FailureReason
) -> None:
    written(tmp_path / "busy", b"\xff\xd8\xff" + bytes(60 * MIB))

    async with a_renderer() as renderer:
        await assert_still_works(renderer, tmp_path / "photo")
        (child,) = children_of_this_process()
        call = asyncio.create_task(rendered(renderer, tmp_path / "busy"))
        await asyncio.to_thread(wait_until_busy, child)
        os.kill(child, death)

        assert await call == Unrenderable(reason)
        await assert_still_works(renderer, tmp_path / "photo")


async def test_children_that_die_idle_take_no_file_with_them(tmp_path: Path) -> None:
    async with a_renderer(children=2) as renderer:
        await asyncio.gather(*(assert_still_works(renderer, tmp_path / name) for name in ("one", "other")))
        children = children_of_this_process()
        for child in children:
            os.kill(child, signal.SIGKILL)
        wait_until_gone(children)

        await assert_still_works(renderer, tmp_path / "photo")

    assert len(children) == 2


async def test_a_child_that_dies_before_it_has_read_its_request_takes_no_file_with_it(tmp_path: Path) -> None:
    async with a_renderer() as renderer:
        await assert_still_works(renderer, tmp_path / "photo")
        (child,) = children_of_this_process()
        os.kill(child, signal.SIGSTOP)
        call = asyncio.create_task(rendered(renderer, tmp_path / "photo"))
        for _ in range(10):
            await asyncio.sleep(0)
        os.kill(child, signal.SIGKILL)

        assert isinstance(await call, Rendered)


async def test_answers_of_one_child_stay_as_they_were(tmp_path: Path) -> None:
    async with a_renderer() as renderer:
        first = await rendered(renderer, written(tmp_path / "blue", a_jpeg(colour=BLUE)))
        await assert_still_works(renderer, tmp_path / "red")

        assert await rendered(renderer, tmp_path / "blue") == first


async def test_a_file_larger_than_allowed_is_not_read(tmp_path: Path) -> None:
    async with a_renderer(limits=DecodeLimits(largest_picture=1000)) as renderer:
        answer = await outcome(renderer, tmp_path / "large", a_jpeg() + bytes(1000))

    assert answer == Unrenderable(FailureReason.TOO_LARGE)


async def test_a_cancelled_call_ends_its_child(tmp_path: Path) -> None:
    written(tmp_path / "busy", b"\xff\xd8\xff" + bytes(60 * MIB))

    async with a_renderer() as renderer:
        await assert_still_works(renderer, tmp_path / "photo")
        (child,) = children_of_this_process()
        call = asyncio.create_task(rendered(renderer, tmp_path / "busy"))
        await asyncio.to_thread(wait_until_busy, child)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

        await asyncio.to_thread(wait_until_gone, [child])
        await assert_still_works(renderer, tmp_path / "photo")
