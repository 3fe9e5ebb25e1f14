"""Breaks the queue on purpose, one rule at a time, and expects red tests.

Each mutant is applied to a copy of the sources. Unbroken sources come first: tests that are red anyway would
notice everything. Ends with 1 when a mutant survives.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

from tests.mutants.domain import MUTANTS as DOMAIN
from tests.mutants.feed import MUTANTS as FEED
from tests.mutants.identity import MUTANTS as IDENTITY
from tests.mutants.library import MUTANTS as LIBRARY
from tests.mutants.mutant import Mutant, Suite
from tests.mutants.page import MUTANTS as PAGE
from tests.mutants.postgres import MUTANTS as POSTGRES
from tests.mutants.stream import MUTANTS as STREAM
from tests.support.postgres import a_postgres_server

ROOT: Final = Path(__file__).parents[2]
AT_ONCE: Final = 2
PYTEST: Final = (sys.executable, "-m", "pytest", "--quiet", "--exitfirst", "-p", "no:cacheprovider")
PASSED, FAILED, NOTHING_RAN = 0, 1, 5
"""What pytest ends with. Anything else means that no test could judge."""


def main(mutants: tuple[Mutant, ...]) -> int:
    """Run them all; the exit status says whether every broken rule was noticed."""
    for mutant in mutants:
        with copied_sources() as sources:
            mutant.apply(sources)
    suites = tuple(dict.fromkeys(mutant.suite for mutant in mutants))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        is_sound = all(list(pool.map(are_green, suites)))
        noticed = list(pool.map(is_noticed, mutants)) if is_sound else []
    _say(f"{noticed.count(True)} of {len(mutants)} mutants were noticed")
    return PASSED if noticed.count(True) == len(mutants) else FAILED


def are_green(suite: Suite) -> bool:
    """Whether the tests pass as things stand."""
    began = monotonic()
    run = run_tests(ROOT / "src", *suite.paths)
    _tell(run, f"{suite.name}: unbroken", began, wanted=PASSED)
    return run.returncode == PASSED


def is_noticed(mutant: Mutant) -> bool:
    """Whether tests turn red."""
    began = monotonic()
    with copied_sources() as sources:
        mutant.apply(sources)
        run = run_tests(sources, *mutant.suite.paths, "-k", mutant.noticed_by)
        if run.returncode in {PASSED, NOTHING_RAN}:
            _say(f"     {mutant.name}: not noticed by '{mutant.noticed_by}', so all tests are asked")
            run = run_tests(sources, *mutant.suite.paths)
    _tell(run, f"{mutant.suite.name}: {mutant.name}", began, wanted=FAILED)
    return run.returncode == FAILED


@contextmanager
def copied_sources() -> Iterator[Path]:
    """A copy of the sources, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        sources = Path(folder) / "src"
        shutil.copytree(ROOT / "src", sources, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
        yield sources


def run_tests(sources: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run tests of these sources until one fails."""
    # On CI random commands are always the same ones.
    env = {**os.environ, "PYTHONPATH": str(sources), "PYTHONDONTWRITEBYTECODE": "1", "CI": "1"}
    return subprocess.run(
        [*PYTEST, *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )


def _tell(run: "subprocess.CompletedProcess[str]", title: str, began: float, *, wanted: int) -> None:
    is_right = run.returncode == wanted
    red = [line for line in run.stdout.splitlines() if line.startswith("FAILED")]
    test = f"  <- {red[0].split('::')[-1].split(' - ')[0]}" if red else ""
    _say(f"{'ok  ' if is_right else 'BAD '} {monotonic() - began:5.1f} s  {title}{test}")
    if not is_right and run.returncode != PASSED:
        _say(run.stdout[-4_000:] + run.stderr[-4_000:])


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    with a_postgres_server() as server, server.database() as url:
        # One server for all of them; each makes databases of its own there.
        os.environ["TEST_DATABASE_URL"] = url
        sys.exit(main((*POSTGRES, *DOMAIN, *FEED, *IDENTITY, *LIBRARY, *STREAM, *PAGE)))
