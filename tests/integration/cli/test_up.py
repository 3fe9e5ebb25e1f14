"""`anichron up`: one command from a folder of photos to a crawled, served library."""

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.command_line import Install
from tests.support.photos import a_jpeg, written
from tests.support.up import PATIENCE_SECONDS, Up, lives

GRACE_SECONDS = 8


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A folder with two photos and a broken one."""
    folder = tmp_path / "photos"
    written(folder / "one.jpg", a_jpeg(comment="one"))
    written(folder / "inner" / "two.jpg", a_jpeg(comment="two"))
    written(folder / "broken.jpg", a_jpeg(comment="three")[:300])
    return folder


@pytest.fixture
def many_photos(tmp_path: Path) -> Path:
    """More photos than are crawled before somebody can say stop."""
    folder = tmp_path / "photos"
    for number in range(600):
        written(folder / f"{number}.jpg", a_jpeg((800, 600), comment=str(number)))
    return folder


@pytest.fixture
def port(new_install: Install) -> int:
    """The port that the install's API is to listen on, which was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        number: int = server.getsockname()[1]
    new_install.set(API__PORT=str(number))
    return number


@pytest.fixture
def up(new_install: Install, tmp_path: Path) -> Iterator[Callable[..., Up]]:
    """Starts `anichron up` on the new install."""
    started: list[Up] = []

    def start(*arguments: str) -> Up:
        started.append(Up(new_install, tmp_path / "up.log", *arguments))
        return started[-1]

    yield start
    for one in started:
        one.end()


def test_once_crawls_the_folder_and_leaves(new_install: Install, photos: Path) -> None:
    result = new_install.process("up", "--photos", str(photos), "--once")

    assert result.returncode == 0, result.stderr
    assert new_install.data.stat().st_mode & 0o777 == 0o700
    (user,) = new_install.json("users", "list")["items"]
    assert (user["name"], user["isAdmin"]) == ("admin", True)
    (config,) = new_install.json("configs", "list")["items"]
    assert (config["rootPath"], config["userId"]) == (str(photos), user["id"])
    (crawl,) = new_install.json("items", "list", "--kind", "crawl")["items"]
    assert crawl["status"] == "succeeded"
    assert {name: crawl["result"][name] for name in ("found", "new", "failed")} == {
        "found": 3,
        "new": 2,
        "failed": 1,
    }
    assert crawl["attempt"] == 1
    assert crawl["stalls"] == 0


def test_once_more_reads_no_photo_again_and_makes_nothing_twice(new_install: Install, photos: Path) -> None:
    new_install.process("up", "--photos", str(photos), "--once")
    written(photos / "four.jpg", a_jpeg(comment="four"))

    result = new_install.process("up", "--photos", str(photos), "--once")

    assert result.returncode == 0, result.stderr
    assert len(new_install.json("users", "list")["items"]) == 1
    assert len(new_install.json("configs", "list")["items"]) == 1
    latest, _ = new_install.json("items", "list", "--kind", "crawl")["items"]
    assert (latest["result"]["found"], latest["result"]["new"], latest["result"]["skipped"]) == (4, 1, 2)


def test_once_ends_with_code_10_when_its_crawl_failed(
    new_install: Install, photos: Path, tmp_path: Path
) -> None:
    new_install.set(WORKER__PROXY_PATH=str(written(tmp_path / "file", b"")))

    result = new_install.process("up", "--photos", str(photos), "--once")

    assert result.returncode == 10
    assert "failed  proxies-unwritable" in result.stderr


def test_once_that_is_interrupted_hands_its_crawl_back(
    new_install: Install, many_photos: Path, up: Callable[..., Up]
) -> None:
    running = up("--photos", str(many_photos), "--once")
    running.tells("crawl  running")

    running.process.send_signal(signal.SIGINT)

    assert running.process.wait(PATIENCE_SECONDS) == 130
    (crawl,) = new_install.json("items", "list", "--kind", "crawl")["items"]
    assert (crawl["status"], crawl["stalls"]) == ("queued", 0)
    (attempt,) = new_install.json("items", "show", crawl["id"])["attempts"]
    assert attempt["how"] == "released"


def test_whoever_presses_twice_leaves_no_crawl_behind_as_running(
    new_install: Install, many_photos: Path, up: Callable[..., Up]
) -> None:
    running = up("--photos", str(many_photos), "--once")
    running.tells("crawl  running")

    running.process.send_signal(signal.SIGINT)
    running.process.send_signal(signal.SIGINT)

    assert running.process.wait(PATIENCE_SECONDS) == 130
    (crawl,) = new_install.json("items", "list", "--kind", "crawl")["items"]
    assert (crawl["status"], crawl["stalls"]) == ("queued", 0)


def test_once_needs_a_folder(new_install: Install) -> None:
    result = new_install.run("up", "--once")

    assert result.exit_code == 2
    assert "--once needs --photos." in result.stderr


def test_it_serves_until_it_is_told_to_leave(
    new_install: Install, photos: Path, port: int, up: Callable[..., Up]
) -> None:
    running = up("--photos", str(photos))
    running.tells("crawl  succeeded")
    running.tells('"event": "listening"')

    assert f"Page      http://127.0.0.1:{port}/\n" in running.said
    assert "Password  anichron users reset-password admin --generate\n" in running.said
    assert "anichron items watch" in running.said
    assert "anichron tokens create admin" in running.said
    assert new_install.ok("health", "api").stderr == "The API is well.\n"
    new_install.ok("health", "worker")
    (worker,) = new_install.json("workers", "list")["items"]
    assert worker["name"].startswith("all@")
    assert worker["userId"] is None
    children = running.children()
    assert len(children) == 2

    began = time.monotonic()
    running.process.send_signal(signal.SIGTERM)

    assert running.process.wait(PATIENCE_SECONDS) == 0
    assert time.monotonic() - began < GRACE_SECONDS
    assert not any(map(lives, children))
    assert new_install.json("workers", "list")["items"] == []
    assert new_install.run("health", "api").exit_code == 1
    assert new_install.run("health", "worker").exit_code == 1


@pytest.mark.usefixtures("port")
def test_what_it_started_does_not_outlive_it(photos: Path, up: Callable[..., Up]) -> None:
    running = up("--photos", str(photos))
    running.tells("crawl  succeeded")
    running.tells('"event": "listening"')
    children = running.children()

    running.process.kill()

    running.until(lambda: not any(map(lives, children)), what="the children's end")


@pytest.mark.usefixtures("port")
def test_a_child_that_dies_ends_everything_and_is_named(photos: Path, up: Callable[..., Up]) -> None:
    running = up("--photos", str(photos))
    running.tells("crawl  succeeded")
    running.tells('"event": "listening"')
    api, worker = running.children()

    os.kill(worker, signal.SIGKILL)

    assert running.process.wait(PATIENCE_SECONDS) == 1
    assert running.said.splitlines()[-1] == (
        "anichron: the worker has ended with signal 9, so everything ends; nothing is lost: start it again"
    )
    assert not lives(api)


def test_a_port_that_is_taken_is_code_69_before_anything_is_begun(
    new_install: Install, photos: Path, port: int
) -> None:
    with socket.create_server(("127.0.0.1", port)):
        result = new_install.process("up", "--photos", str(photos))

    assert result.returncode == 69
    assert result.stderr == (
        f"anichron: cannot listen on 127.0.0.1 port {port}: address already in use; see API__HOST and API__PORT\n"
    )
    assert not (new_install.data / "anichron.db").exists()


def test_a_crawl_that_is_waited_for_ends_with_its_outcome(install: Install, photos: Path) -> None:
    install.ada()
    id_ = install.library(photos)
    worker = install.start("worker")
    try:
        good = install.process("crawl", id_, "--wait")
        photos.rename(photos.with_name("elsewhere"))
        bad = install.process("crawl", id_, "--wait")
    finally:
        worker.kill()
        worker.communicate()

    assert (good.returncode, bad.returncode) == (0, 10)
    assert "succeeded" in good.stdout
    assert "failed  root-unreadable" in bad.stdout
