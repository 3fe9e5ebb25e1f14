"""What a decode child may see, hold and say, and how long it lives."""

import asyncio
import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from adapters.media.wire import DecodeLimits
from application.ports.image_renderer import Rendered, RendererUnavailable, Unrenderable
from domain.media.failure import FailureReason
from tests.support.children import (
    children_of_this_process,
    descriptors_of,
    environment_of,
    limits_of,
    status_of,
    wait_until_gone,
)
from tests.support.lying_child import LIES
from tests.support.photos import a_jpeg, a_renderer, rendered, well_rendered, written

MIB = 1024 * 1024


@pytest.fixture(autouse=True)
def no_children() -> None:
    """Let those of an earlier test finish dying."""
    wait_until_gone(children_of_this_process())


async def test_at_most_so_many_children_work_and_none_outlives_the_context(tmp_path: Path) -> None:
    written(tmp_path / "photo", a_jpeg())

    async with a_renderer(children=2) as renderer:
        assert children_of_this_process() == []
        answers = await asyncio.gather(*(rendered(renderer, tmp_path / "photo") for _ in range(8)))
        assert [type(answer) for answer in answers] == [Rendered] * 8
        children = children_of_this_process()
        assert len(children) == 2

    await asyncio.to_thread(wait_until_gone, children)


async def test_a_child_sees_nothing_of_the_workers_secrets_and_holds_few_descriptors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "a secret")
    with (tmp_path / "open").open("wb") as other:
        os.set_inheritable(other.fileno(), True)  # noqa: FBT003 -- the signature of the standard library
        async with a_renderer() as renderer:
            await well_rendered(renderer, written(tmp_path / "photo", a_jpeg()))
            (child,) = children_of_this_process()

            names, targets = environment_of(child), descriptors_of(child)

    assert names == {b"PYTHONPATH"}
    assert targets == {"/dev/null", "socket"}


async def test_a_child_is_confined(tmp_path: Path) -> None:
    async with a_renderer() as renderer:
        await well_rendered(renderer, written(tmp_path / "photo", a_jpeg()))
        (child,) = children_of_this_process()

        soft, status = limits_of(child), status_of(child)

    assert soft["Max address space"] == str(2 * 1024 * MIB)
    assert soft["Max file size"] == "0"
    assert soft["Max core file size"] == "0"
    assert soft["Max open files"] == "64"
    assert int(soft["Max cpu time"]) in range(20, 25)
    assert "NoNewPrivs:\t1" in status


async def test_a_child_is_replaced_after_so_many_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.media.isolated_renderer.MOST_FILES", 2)
    written(tmp_path / "photo", a_jpeg())
    seen: set[int] = set()

    async with a_renderer() as renderer:
        for _ in range(4):
            await well_rendered(renderer, tmp_path / "photo")
            seen.update(children_of_this_process())

    assert len(seen) == 2


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
from tests.support.children import children_of_this_process
from tests.support.photos import a_renderer, rendered

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

    async with a_renderer(limits=DecodeLimits(largest_picture=lie)) as renderer:
        answer = await rendered(renderer, written(tmp_path / "photo", a_jpeg()))

    assert answer == Unrenderable(FailureReason.DECODER_CRASHED)


async def test_a_child_that_cannot_start_blames_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "photo", a_jpeg())
    monkeypatch.setattr(sys, "executable", "/bin/false")

    async with a_renderer() as renderer:
        with pytest.raises(RendererUnavailable):
            await rendered(renderer, tmp_path / "photo")


@pytest.mark.parametrize(
    ("program", "told"), [("/", "Permission denied"), ("/no/such/program", "No such file or directory")]
)
async def test_a_process_that_the_system_refuses_blames_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, told: str
) -> None:
    written(tmp_path / "photo", a_jpeg())
    monkeypatch.setattr(sys, "executable", program)

    async with a_renderer() as renderer:
        with pytest.raises(RendererUnavailable) as refusal:
            await rendered(renderer, tmp_path / "photo")

    assert str(refusal.value) == f"a decode child cannot be started ({told})"


async def test_a_socket_that_the_system_refuses_blames_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left() -> NoReturn:
        raise OSError(errno.EMFILE, "Too many open files")

    written(tmp_path / "photo", a_jpeg())
    monkeypatch.setattr("adapters.media.child.socket.socketpair", none_left)

    async with a_renderer() as renderer:
        with pytest.raises(RendererUnavailable) as refusal:
            await rendered(renderer, tmp_path / "photo")

    assert str(refusal.value) == "a decode child cannot be started (Too many open files)"


def test_the_workers_side_loads_no_decoder() -> None:
    program = "import sys, adapters.media.isolated_renderer; print(sorted({'PIL', 'blake3', 'blurhash_rs'} & set(sys.modules)))"

    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)

    assert answer.stdout == "[]\n"
