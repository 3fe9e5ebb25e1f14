"""Runs tests of broken sources, each time in a process forked off one that has imported the libraries already.

Most of what a short run costs is imports: all of them together take several times as long as its tests.
"""

import multiprocessing
import os
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerContext
from pathlib import Path
from time import monotonic
from typing import Final, Self

import pytest

from tests.mutants.mutant import Mutant, Suite

ROOT: Final = Path(__file__).parents[2]
LONGEST_SECONDS: Final = 300
OURS: Final = {"adapters", "application", "domain", "entrypoints"}

LIBRARIES: Final = (
    "alembic.command",
    "argon2",
    "dependency_injector.containers",
    "httpx",
    "hypothesis.stateful",
    "jwt",
    "litestar.testing",
    "playwright.async_api",
    "psycopg",
    "pydantic_settings",
    "pytest_asyncio",
    "rich_click",
    "sqlalchemy.dialects.postgresql",
    "sqlalchemy.dialects.sqlite",
    "structlog",
    "uvicorn",
)

# What has been imported cannot have its asserts rewritten any more; and a test that has to be red need not
# explain itself. No suite of the mutants asks schemathesis.
OPTIONS: Final = (
    "--quiet",
    "--exitfirst",
    "--assert=plain",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:schemathesis",
)


@dataclass(frozen=True, slots=True)
class Trial:
    """These tests of a suite, as pytest's `-k` selects them, on sources with this mutant in them, or on sound ones."""

    suite: Suite
    tests: str
    mutant: Mutant | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a trial ended."""

    trial: Trial
    exit_code: int
    seconds: float
    output: str

    @property
    def first_failure(self) -> str:
        """The first test that was red, by its name; empty where none was."""
        red = [line for line in self.output.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return red[0].split("::")[-1].split(" - ")[0] if red else ""


def verdicts(trials: Iterable[Trial], *, at_once: int) -> Iterator[Verdict]:
    """Hold all trials, some at once, and tell each as it ends."""
    waiting = deque(trials)
    under_way: dict[int, _UnderWay] = {}
    while waiting or under_way:
        while waiting and len(under_way) < at_once:
            begun = _UnderWay.begin(waiting.popleft())
            under_way[begun.process.sentinel] = begun
        for ended in wait(list(under_way), timeout=1):
            assert isinstance(ended, int)
            yield under_way.pop(ended).verdict()
        for late in under_way.values():
            if monotonic() - late.began > LONGEST_SECONDS:
                late.process.kill()


@dataclass(frozen=True, slots=True)
class _UnderWay:
    trial: Trial
    process: multiprocessing.process.BaseProcess
    output: Path
    began: float

    @classmethod
    def begin(cls, trial: Trial) -> Self:
        number, output = tempfile.mkstemp(prefix="mutant-")
        os.close(number)
        process = _forks().Process(target=_hold, args=(trial, output))
        process.start()
        return cls(trial, process, Path(output), monotonic())

    def verdict(self) -> Verdict:
        self.process.join()
        assert self.process.exitcode is not None
        output = self.output.read_text(encoding="utf-8", errors="replace")
        self.output.unlink()
        return Verdict(self.trial, self.process.exitcode, monotonic() - self.began, output)


def _forks() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(LIBRARIES))
    return context


def _hold(trial: Trial, output: str) -> None:
    """The end of this process is that of pytest."""
    assert OURS.isdisjoint(sys.modules), "what has been imported here would not be that of the mutant"
    written = os.open(output, os.O_WRONLY)
    os.dup2(written, sys.stdout.fileno())
    os.dup2(written, sys.stderr.fileno())
    with _sources_with(trial.mutant) as sources:
        sys.path.insert(0, str(sources))
        os.environ["PYTHONPATH"] = str(sources)
        os.chdir(ROOT)
        code = pytest.main([*OPTIONS, *trial.suite.paths, "-k", trial.tests])
    sys.exit(code)


@contextmanager
def _sources_with(mutant: Mutant | None) -> Iterator[Path]:
    """The sources themselves, or a copy with this mutant in it, compiled as far as they are."""
    if mutant is None:
        yield ROOT / "src"
        return
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        sources = Path(folder) / "src"
        shutil.copytree(ROOT / "src", sources, copy_function=_link_or_copy)
        mutant.apply(sources)
        yield sources


def _link_or_copy(original: str, copy: str) -> None:
    try:
        os.link(original, copy)
    except OSError:
        shutil.copy2(original, copy)
