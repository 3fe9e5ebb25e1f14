"""A running `anichron up`, with its children."""

import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.support.command_line import Install

PATIENCE_SECONDS: Final = 60


class Up:
    """The process and its log, which is a file."""

    def __init__(self, install: Install, log: Path, *arguments: str) -> None:
        self._log = log
        with log.open("w") as stderr:
            self.process: subprocess.Popen[str] = install.start("up", *arguments, stderr=stderr.fileno())

    @property
    def said(self) -> str:
        """All that it and its children have said so far."""
        return self._log.read_text()

    def tells(self, words: str) -> None:
        """Wait until its log holds these words."""

        def told() -> bool:
            assert self.process.poll() is None, self.said
            return words in self.said

        self.until(told, what=repr(words))

    def until(self, holds: Callable[[], bool], *, what: str) -> None:
        """Wait until it holds."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            assert time.monotonic() < end, f"not in time: {what}; the log:\n{self.said}"
            time.sleep(0.05)

    def children(self) -> list[int]:
        """The processes that it has started: API and worker, in this order."""
        lists = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return sorted(int(pid) for one in lists for pid in one.read_text().split())

    def end(self) -> None:
        """Kill it, if it still lives; its children leave by themselves then."""
        self.process.kill()
        self.process.communicate()


def lives(pid: int) -> bool:
    """Whether there is such a process, and it does more than wait to be buried."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
