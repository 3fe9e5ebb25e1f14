"""Breaks the queue on purpose, one rule at a time, and expects red tests.

Each mutant is applied to a copy of the sources. Unbroken sources come first: tests that are red anyway would
notice everything. Ends with 1 when a mutant survives.
"""

import os
import sys
from typing import Final

from tests.mutants.domain import MUTANTS as DOMAIN
from tests.mutants.feed import MUTANTS as FEED
from tests.mutants.identity import MUTANTS as IDENTITY
from tests.mutants.library import MUTANTS as LIBRARY
from tests.mutants.mutant import Mutant, Suite
from tests.mutants.page import MUTANTS as PAGE
from tests.mutants.postgres import MUTANTS as POSTGRES
from tests.mutants.running import ROOT, Trial, Verdict, verdicts
from tests.mutants.stream import MUTANTS as STREAM
from tests.mutants.sweeps import MUTANTS as SWEEPS
from tests.support.postgres import a_postgres_server

AT_ONCE: Final = 3
"""One more than a small machine has processors: many tests wait for a database or a browser."""

PASSED, FAILED = 0, 1
"""What pytest ends with. Anything else means that no test could judge."""


def main(mutants: tuple[Mutant, ...]) -> int:
    """Run them all; the exit status says whether every broken rule was noticed."""
    for mutant in mutants:
        mutant.text_in(ROOT / "src")
    red = [one for one in verdicts(sound(mutants), at_once=AT_ONCE) if not _told(one, wanted=PASSED)]
    broken = [] if red else [Trial(mutant.suite, mutant.noticed_by, mutant) for mutant in mutants]
    noticed = [_told(one, wanted=FAILED) for one in verdicts(broken, at_once=AT_ONCE)].count(True)
    _say(f"{noticed} of {len(mutants)} mutants were noticed")
    return PASSED if noticed == len(mutants) else FAILED


def sound(mutants: tuple[Mutant, ...]) -> tuple[Trial, ...]:
    """The same tests on the sources as they are."""
    noticing: dict[Suite, dict[str, None]] = {}
    for mutant in mutants:
        noticing.setdefault(mutant.suite, {})[f"({mutant.noticed_by})"] = None
    return tuple(Trial(suite, " or ".join(tests)) for suite, tests in noticing.items())


def _told(verdict: Verdict, *, wanted: int) -> bool:
    trial = verdict.trial
    is_right = verdict.exit_code == wanted
    name = "unbroken" if trial.mutant is None else trial.mutant.name
    test = f"  <- {verdict.first_failure}" if verdict.first_failure else ""
    _say(f"{'ok  ' if is_right else 'BAD '} {verdict.seconds:5.1f} s  {trial.suite.name}: {name}{test}")
    if not is_right and verdict.exit_code != PASSED:
        _say(verdict.output[-4_000:])
    return is_right


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    # All processes inherit this: random commands are always the same ones, and what a broken page does not
    # show is not waited for as long as what a slow machine may show yet.
    os.environ.update(CI="true", BROWSER_PATIENCE_SECONDS="8")
    with a_postgres_server() as server, server.database() as url:
        # One server for all of them; each makes databases of its own there.
        os.environ["TEST_DATABASE_URL"] = url
        sys.exit(main((*PAGE, *POSTGRES, *DOMAIN, *FEED, *IDENTITY, *LIBRARY, *STREAM, *SWEEPS)))
