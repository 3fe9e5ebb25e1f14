"""Waiting for work that was just asked for, when no worker serves it."""

import json

import pytest

from domain.ids import WorkerName
from domain.presence import WorkerPresence
from domain.scope import AllScopes
from tests.support.command_line import Install

UNSERVED = "No worker serves it: it waits until one is started ('anichron worker').\n"


def cancelled(install: Install) -> None:
    """Everything that waits is cancelled behind the command's back."""
    for item in install.json("items", "list", "--status", "queued")["items"]:
        install.ok("items", "cancel", item["id"])


@pytest.mark.parametrize("command", ["crawl", "sweeps"])
def test_it_is_said_once_that_no_worker_serves_what_is_waited_for(install: Install, command: str) -> None:
    install.ada()
    folder = install.library(install.data.parent / "photos")
    waiting = install.start(command, {"crawl": folder, "sweeps": "start"}[command], "--wait", "--json")
    assert waiting.stderr is not None
    assert waiting.stderr.readline() == UNSERVED

    cancelled(install)

    out, rest = waiting.communicate(timeout=30)
    told = [(item["status"], item["waitReason"]) for item in map(json.loads, out.splitlines())]
    assert told == [("queued", "no-worker"), ("cancelled", None)]
    assert (waiting.returncode, rest) == (11, "")


def test_nothing_is_said_where_a_worker_serves_it(install: Install) -> None:
    presence = WorkerPresence(WorkerName("all@nas#1"), AllScopes(), "0.1.0", 1)
    install.work(lambda stores: stores.presences().seen(presence))
    waiting = install.start("sweeps", "start", "--wait", "--json")
    assert waiting.stdout is not None
    first = json.loads(waiting.stdout.readline())

    cancelled(install)

    _, said = waiting.communicate(timeout=30)
    assert (first["status"], first["waitReason"]) == ("queued", "next")
    assert (waiting.returncode, said) == (11, "")
