"""Following work on the command line, and how scripts learn how it ended."""

import json
import signal
import subprocess
from collections.abc import Callable, Iterator

import pytest

from domain.events import Fail, RunEnd, Stop, Succeed
from domain.failure import Failure
from domain.ids import JsonText
from domain.work_item import WorkItem
from entrypoints.wiring.stores import Stores
from tests.support.builders import claimed, enqueued
from tests.support.command_line import Install

Started = subprocess.Popen[str]


def running(install: Install) -> WorkItem:
    """An item that runs."""

    async def claim(stores: Stores) -> WorkItem:
        await enqueued(stores.work())
        return await claimed(stores.work())

    return install.work(claim)


def finish(install: Install, item: WorkItem, end: RunEnd) -> None:
    """End the item's run."""
    install.work(lambda stores: stores.work().finish(item.id, end))


def succeed(item: WorkItem) -> RunEnd:
    return Succeed(item.attempt, JsonText('{"deleted":3}'))


def fail(item: WorkItem) -> RunEnd:
    return Fail(item.attempt, Failure("root-unreadable", "It cannot be read."))


def stop(item: WorkItem) -> RunEnd:
    return Stop(item.attempt, JsonText('{"deleted":1}'))


@pytest.fixture
def start(install: Install) -> Iterator[Callable[..., Started]]:
    """Starts commands that end with the test."""
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: str) -> Started:
        started.append(install.start(*arguments))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def next_line(process: Started) -> str:
    """The next line of data."""
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.parametrize(
    ("end", "code", "words"),
    [
        (succeed, 0, "succeeded  deleted 3"),
        (fail, 10, "failed  root-unreadable: It cannot be read."),
        (stop, 11, "cancelled, partial  deleted 1"),
    ],
)
def test_until_finished_ends_with_the_outcome_as_its_code(
    install: Install,
    start: Callable[..., Started],
    end: Callable[[WorkItem], RunEnd],
    code: int,
    words: str,
) -> None:
    item = running(install)
    watch = start("items", "watch", str(item.id)[:18], "--until-finished")
    assert next_line(watch).endswith(f"  {str(item.id)[:13]}  token-cleanup  running\n")

    finish(install, item, end(item))

    assert next_line(watch).endswith(f"  token-cleanup  {words}\n")
    assert watch.wait(timeout=30) == code


def test_without_that_a_failed_item_is_no_error(install: Install) -> None:
    item = running(install)
    finish(install, item, fail(item))

    result = install.ok("items", "watch", str(item.id))

    assert "root-unreadable" in result.stdout


def test_each_change_is_one_json_object_on_a_line(install: Install, start: Callable[..., Started]) -> None:
    item = running(install)
    watch = start("items", "watch", str(item.id), "--json")
    first = json.loads(next_line(watch))

    finish(install, item, succeed(item))

    second = json.loads(next_line(watch))
    assert (first["status"], second["status"]) == ("running", "succeeded")
    assert first.keys() == second.keys()
    assert second["result"] == {"deleted": 3}


def test_the_whole_queue_is_followed_until_nothing_waits_or_runs(
    install: Install, start: Callable[..., Started]
) -> None:
    item = running(install)
    watch = start("items", "watch", "--until-finished")
    assert next_line(watch).endswith("running\n")

    finish(install, item, succeed(item))

    assert next_line(watch).endswith("succeeded  deleted 3\n")
    assert watch.wait(timeout=30) == 0


def test_an_idle_queue_has_nothing_to_follow(install: Install) -> None:
    assert install.ok("items", "watch", "--until-finished").stdout == ""


def test_ctrl_c_leaves_without_a_traceback(install: Install, start: Callable[..., Started]) -> None:
    item = running(install)
    watch = start("items", "watch", str(item.id))
    next_line(watch)

    watch.send_signal(signal.SIGINT)

    _, err = watch.communicate(timeout=30)
    assert watch.returncode == 130
    assert err.strip() == ""


def test_a_reader_that_leaves_is_no_traceback_either(install: Install, start: Callable[..., Started]) -> None:
    item = running(install)
    watch = start("items", "watch", str(item.id))
    next_line(watch)
    assert watch.stdout is not None
    watch.stdout.close()

    finish(install, item, succeed(item))

    assert watch.wait(timeout=30) in {0, 1}
    assert watch.stderr is not None
    assert "Traceback" not in watch.stderr.read()
