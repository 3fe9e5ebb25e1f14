"""How fast the walk is, against `find -printf` that prints the same of each file.

    python benchmarks/walk.py [--files 100000] [--rounds 7]

Makes a tree of its own. Both are measured in turns and the quickest round of each counts, in processor time as well:
a machine that others use too is not equally fast all the time.
"""

import argparse
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.filesystem.walk import WalkRules, walk

FILES_A_FOLDER = 100
FOLDERS_A_FOLDER = 50


def main() -> None:
    """Measure, then print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    find = shutil.which("find")
    if find is None:
        raise SystemExit("there is no find here to compare with")
    with TemporaryDirectory() as folder:
        make_files(Path(folder), options.files)
        command = [find, folder, "-printf", r"%p %s %T@ %C@ %i\n"]
        rounds = [
            (
                measured(lambda: run(command), resource.RUSAGE_CHILDREN),
                measured(lambda: walked(folder, options.files), resource.RUSAGE_SELF),
            )
            for _ in range(options.rounds)
        ]
    for position, unit in enumerate(("seconds", "seconds of processor")):
        finding, walking = (min(one[who][position] for one in rounds) for who in (0, 1))
        print(f"find {finding:.3f}, walk {walking:.3f} {unit}: {walking / finding:.2f} times as long")


def make_files(folder: Path, files: int) -> None:
    """Empty files with the names of photos, in two levels of folders."""
    for number in range(files):
        inner = number // FILES_A_FOLDER
        path = folder / f"{inner // FOLDERS_A_FOLDER:03}" / f"{inner:05}" / f"IMG_{number:07}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def run(command: list[str]) -> None:
    """As the shell would, into nothing."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 -- made above


def walked(folder: str, files: int) -> None:
    """The whole walk; every file must be met."""
    met = sum(len(batch.files) for batch in walk(folder, WalkRules()))
    if met != files:
        raise SystemExit(f"met {met} of {files} files")


def measured(work: Callable[[], None], whose: int) -> tuple[float, float]:
    """How long it took, by the clock on the wall and of the processor."""
    began, used = time.perf_counter(), resource.getrusage(whose)
    work()
    seconds, after = time.perf_counter() - began, resource.getrusage(whose)
    return seconds, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime


if __name__ == "__main__":
    main()
