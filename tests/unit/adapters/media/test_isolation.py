"""What hostile files, and accidents, may cost: their own outcome and nothing else."""

import asyncio
import os
import select
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from adapters.media.isolated_renderer import IsolatedRenderer
from adapters.media.wire import DecodeLimits
from application.ports.image_renderer import Identified, Rendered, RendererUnavailable, Unrenderable
from domain.media.content import ContentHash, MediaType
from domain.media.failure import FailureReason
from tests.support.lying_child import LIES
from tests.support.photos import a_jpeg, a_renderer, identified, rendered, written

MIB = 1024 * 1024


def children_of_this_process() -> list[int]:
    """Decode children that live."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            command = Path(f"/proc/{child}/cmdline").read_bytes()
            if b"adapters.media.decode_child" in command:
                found.append(int(child))
    return found


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
    content = a_jpeg() + b"x" * (2 * MIB)
    written(tmp_path / "photo", content)

    async with a_renderer() as renderer:
        answer = await identified(renderer, tmp_path / "photo")

    assert isinstance(answer, Identified)
    assert answer.media_type is MediaType.JPEG
    # Pinned: were the hash to change, every library would be read anew.
    assert ContentHash(bytes.fromhex(hash_by_another_way(content))) == answer.content


def hash_by_another_way(content: bytes) -> str:
    program = "import sys, blake3; print(blake3.blake3(sys.stdin.buffer.read()).hexdigest())"
    return (
        subprocess.run([sys.executable, "-c", program], input=content, capture_output=True, check=True)
        .stdout.decode()
        .strip()
    )


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

        assert answer == Unrenderable(FailureReason.TIMED_OUT)
        await assert_still_works(renderer, tmp_path / "photo")


@pytest.mark.parametrize(
    ("death", "reason"),
    [
        (signal.SIGSEGV, FailureReason.DECODER_CRASHED),
        (signal.SIGKILL, FailureReason.OUT_OF_MEMORY),
    ],
)
async def test_a_child_that_dies_takes_one_file_with_it(
    tmp_path: Path, death: signal.Signals, reason: FailureReason
) -> None:
    async with a_renderer() as renderer:
        await assert_still_works(renderer, tmp_path / "photo")
        (child,) = children_of_this_process()
        os.kill(child, death)

        answer = await outcome(renderer, tmp_path / "photo", a_jpeg())

        assert answer == Unrenderable(reason)
        await assert_still_works(renderer, tmp_path / "photo")


async def test_a_file_larger_than_allowed_is_not_read(tmp_path: Path) -> None:
    async with a_renderer(limits=DecodeLimits(largest_file=1000)) as renderer:
        answer = await outcome(renderer, tmp_path / "large", a_jpeg() + bytes(1000))

    assert answer == Unrenderable(FailureReason.TOO_LARGE)


async def test_at_most_so_many_children_work_and_none_outlives_the_context(tmp_path: Path) -> None:
    written(tmp_path / "photo", a_jpeg())

    async with a_renderer(children=2) as renderer:
        assert children_of_this_process() == []
        answers = await asyncio.gather(*(rendered(renderer, tmp_path / "photo") for _ in range(8)))
        assert [type(answer) for answer in answers] == [Rendered] * 8
        children = children_of_this_process()
        assert len(children) == 2

    await asyncio.to_thread(wait_until_gone, children)


def wait_until_gone(processes: list[int]) -> None:
    for process in processes:
        try:
            descriptor = os.pidfd_open(process)
        except ProcessLookupError:
            continue
        ended, _, _ = select.select([descriptor], [], [], 30)
        os.close(descriptor)
        assert ended, "a child lives on"


def wait_until_busy(process: int) -> None:
    while " R " not in Path(f"/proc/{process}/stat").read_text():
        os.sched_yield()


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


async def test_a_child_sees_nothing_of_the_workers_secrets_and_holds_few_descriptors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "a secret")
    with (tmp_path / "open").open("wb") as other:
        os.set_inheritable(other.fileno(), True)  # noqa: FBT003 -- the signature of the standard library
        async with a_renderer() as renderer:
            await assert_still_works(renderer, tmp_path / "photo")
            (child,) = children_of_this_process()

            names, targets = environment_of(child), descriptors_of(child)

    assert names == {b"PYTHONPATH"}
    assert targets == {"/dev/null", "socket"}


def environment_of(process: int) -> set[bytes]:
    variables = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    return {variable.partition(b"=")[0] for variable in variables if variable}


def descriptors_of(process: int) -> set[str]:
    return {str(path.readlink()).partition(":")[0] for path in Path(f"/proc/{process}/fd").iterdir()}


async def test_a_child_is_confined(tmp_path: Path) -> None:
    async with a_renderer() as renderer:
        await assert_still_works(renderer, tmp_path / "photo")
        (child,) = children_of_this_process()

        soft, status = limits_of(child), status_of(child)

    assert soft["Max address space"] == str(2 * 1024 * MIB)
    assert soft["Max file size"] == "0"
    assert soft["Max core file size"] == "0"
    assert soft["Max open files"] == "64"
    assert int(soft["Max cpu time"]) in range(20, 25)
    assert "NoNewPrivs:\t1" in status


def limits_of(process: int) -> dict[str, str]:
    lines = Path(f"/proc/{process}/limits").read_text().splitlines()
    return {line[:26].strip(): line[26:47].strip() for line in lines}


def status_of(process: int) -> str:
    return Path(f"/proc/{process}/status").read_text()


def test_children_die_with_a_worker_that_is_killed(tmp_path: Path) -> None:
    written(tmp_path / "photo", a_jpeg())
    worker = subprocess.Popen([sys.executable, "-c", WORKER, str(tmp_path / "photo")], stdout=subprocess.PIPE)
    with worker:
        assert worker.stdout is not None
        child = int(worker.stdout.readline())
        worker.kill()

    wait_until_gone([child])


WORKER = """
import asyncio, sys
from pathlib import Path
from tests.support.photos import a_renderer, rendered
from tests.unit.adapters.media.test_isolation import children_of_this_process

async def main():
    async with a_renderer() as renderer:
        await rendered(renderer, Path(sys.argv[1]))
        print(*children_of_this_process(), flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.mark.parametrize("lie", range(len(LIES)))
async def test_a_child_that_was_taken_over_can_tell_the_worker_nothing_but_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lie: int
) -> None:
    monkeypatch.setattr("adapters.media.child.PROGRAM", "tests.support.lying_child")

    async with a_renderer(limits=DecodeLimits(largest_file=lie)) as renderer:
        answer = await outcome(renderer, tmp_path / "photo", a_jpeg())

    assert answer == Unrenderable(FailureReason.DECODER_CRASHED)


async def test_a_child_that_cannot_start_blames_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "photo", a_jpeg())
    monkeypatch.setattr(sys, "executable", "/bin/false")

    async with a_renderer() as renderer:
        with pytest.raises(RendererUnavailable):
            await rendered(renderer, tmp_path / "photo")


def test_the_workers_side_loads_no_decoder() -> None:
    program = "import sys, adapters.media.isolated_renderer; print(sorted({'PIL', 'blake3', 'blurhash_rs'} & set(sys.modules)))"

    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)

    assert answer.stdout == "[]\n"
