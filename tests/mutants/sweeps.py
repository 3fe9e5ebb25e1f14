"""Proxy sweeps and deletions, broken one rule at a time."""

from typing import Final

from tests.mutants.mutant import Mutant, Suite

SWEEPS: Final = Suite(
    "sweeps",
    (
        "tests/unit/application/handlers/test_proxy_sweep.py",
        "tests/unit/application/handlers/test_proxy_deletion.py",
        "tests/unit/adapters/filesystem/test_proxy_folder.py",
        "tests/unit/adapters/filesystem/test_proxy_folder_deletion.py",
    ),
)

FOLDER: Final = "adapters/filesystem/proxy_folder.py"
SWEEP: Final = "application/handlers/proxy_sweep.py"
DELETION: Final = "application/handlers/proxy_deletion.py"


def of_sweeps(name: str, path: str, original: str, broken: str, noticed_by: str) -> Mutant:
    """A mutant that the tests of sweeps and deletions must notice."""
    return Mutant(name=name, suite=SWEEPS, path=path, original=original, broken=broken, noticed_by=noticed_by)


MUTANTS: Final = (
    of_sweeps(
        "databases without rows that are believed",
        SWEEP,
        "if part.proxies and not has_rows:",
        "if part.proxies and has_rows is None:",
        "wrong_one",
    ),
    of_sweeps(
        "rows that go meanwhile and are missed",
        SWEEP,
        "missing = await self._proxies.among(absent)",
        "missing = absent",
        "row_that_goes_meanwhile",
    ),
    of_sweeps(
        "files that are judged however young",
        SWEEP,
        "orphans = [seen for seen in unknown if is_settled(seen.modified_at, now=now)]",
        "orphans = [seen for seen in unknown if seen.modified_at <= now]",
        "older_than_an_hour",
    ),
    of_sweeps(
        "deletions without a look at the rows",
        DELETION,
        "unknown = [path for path in paths if path.text not in known]",
        "unknown = paths",
        "rows_know_by_now",
    ),
    of_sweeps(
        "deletions without a look at the file's age",
        FOLDER,
        "if _modified(status) >= before:",
        "if _modified(status) >= LAST:",
        "too_young or as_it_is_young or written_since",
    ),
    of_sweeps(
        "links that are followed",
        FOLDER,
        "descriptor = open_root(name) if at is None else os.open(name, READ_FOLDER, dir_fd=at)",
        "descriptor = open_root(name) if at is None else os.open(name, READ_FOLDER & ~os.O_NOFOLLOW, dir_fd=at)",
        "link",
    ),
    of_sweeps(
        "purged sweeps that count as done",
        DELETION,
        "if tally.done < total:",
        "if tally.done < 0:",
        "passed_off_as_done",
    ),
)
