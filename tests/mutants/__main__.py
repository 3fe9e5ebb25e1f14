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
from tests.mutants.mutant import Mutant, Suite

ROOT: Final = Path(__file__).parents[2]
AT_ONCE: Final = 2
PASSED, FAILED = 0, 1
"""What pytest ends with. Anything else means that no test could judge."""


def main(mutants: tuple[Mutant, ...]) -> int:
    """Run them all; how many rules could be broken unnoticed, capped to an exit status."""
    suites = tuple(dict.fromkeys(mutant.suite for mutant in mutants))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        unbroken = list(pool.map(run_unbroken, suites))
        verdicts = list(pool.map(run_broken, mutants)) if all(unbroken) else []
    survivors = verdicts.count(False)
    _say(f"{len(verdicts) - survivors} of {len(mutants)} mutants were noticed")
    return PASSED if verdicts and survivors == 0 else FAILED


def run_unbroken(suite: Suite) -> bool:
    """Whether the tests are green as things stand."""
    return _judge(f"{suite.name}: unbroken", suite, ROOT / "src", wanted=PASSED)


def run_broken(mutant: Mutant) -> bool:
    """Whether the tests turn red."""
    with copied_sources() as sources:
        mutant.apply(sources)
        return _judge(f"{mutant.suite.name}: {mutant.name}", mutant.suite, sources, wanted=FAILED)


@contextmanager
def copied_sources() -> Iterator[Path]:
    """A copy of the sources, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        sources = Path(folder) / "src"
        shutil.copytree(ROOT / "src", sources, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
        yield sources


def _judge(title: str, suite: Suite, sources: Path, *, wanted: int) -> bool:
    began = monotonic()
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "--quiet", "--exitfirst", "-p", "no:cacheprovider", *suite.paths],
        cwd=ROOT,
        # On CI random commands are always the same ones.
        env={**os.environ, "PYTHONPATH": str(sources), "PYTHONDONTWRITEBYTECODE": "1", "CI": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    is_right = run.returncode == wanted
    _say(f"{'ok  ' if is_right else 'BAD '} {monotonic() - began:5.1f} s  {title}{_noticed_by(run.stdout)}")
    if not is_right and run.returncode != PASSED:
        _say(run.stdout[-4_000:] + run.stderr[-4_000:])
    return is_right


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _noticed_by(output: str) -> str:
    failures = [line for line in output.splitlines() if line.startswith("FAILED")]
    return f"  <- {failures[0].split('::')[-1].split(' - ')[0]}" if failures else ""


if __name__ == "__main__":
    sys.exit(main(DOMAIN))
