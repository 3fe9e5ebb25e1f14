"""The inner rooms reach for no clock, dice, thread or id of their own."""

from pathlib import Path

import pytest

from tests.unit.architecture.seeded import ROOT, copy_rules

BANNED = (
    ("import time\ntime.time()", "`time` is banned"),
    ("import random\nrandom.random()", "`random` is banned"),
    ("import uuid\nuuid.uuid4()", "`uuid.uuid4` is banned"),
    ("from uuid import uuid4\nuuid4()", "`uuid.uuid4` is banned"),
    ("from datetime import UTC, datetime\ndatetime.now(UTC)", "`datetime.datetime.now` is banned"),
    ("import asyncio\nasyncio.sleep(1)", "`asyncio.sleep` is banned"),
    ("import asyncio\nasyncio.timeout(1)", "`asyncio.timeout` is banned"),
    ("import asyncio\nasyncio.wait_for(None, 1)", "`asyncio.wait_for` is banned"),
    ("import asyncio\nasyncio.to_thread(print)", "`asyncio.to_thread` is banned"),
    ("import threading", "`threading` is banned"),
    ("import os", "`os` is banned"),
    ("from typing import TYPE_CHECKING", "`typing.TYPE_CHECKING` is banned"),
)


@pytest.mark.parametrize("module", ["domain.lifecycle", "application.enqueue"])
@pytest.mark.parametrize(("code", "complaint"), BANNED)
def test_the_inner_rooms_may_not_call_it(module: str, code: str, complaint: str, tmp_path: Path) -> None:
    sources = copy_rules(tmp_path)

    sources.append(module, code)

    complaints = sources.banned_calls()
    assert complaints
    assert all(complaint in line for line in complaints)


def test_an_adapter_may_read_the_clock(tmp_path: Path) -> None:
    sources = copy_rules(tmp_path)

    sources.append("adapters.stray", "import time\ntime.time()")

    assert sources.banned_calls() == ()


def test_no_room_hides_an_import_from_the_linters() -> None:
    hiding = [
        path for path in (ROOT / "src").rglob("*.py") if "TYPE_CHECKING" in path.read_text(encoding="utf-8")
    ]

    assert hiding == []
