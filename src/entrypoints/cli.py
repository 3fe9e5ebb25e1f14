"""The console script `anichron`."""

import os
import signal
import sys
from io import TextIOWrapper
from types import FrameType
from typing import NoReturn

from entrypoints.commands.root import root

TERMINATED = 128 + signal.SIGTERM


def main() -> NoReturn:
    """Run the command line; leave with its exit code."""
    # Before anything slow is loaded: as process 1 of a container, a program without a handler is deaf to it.
    signal.signal(signal.SIGTERM, _leave)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter gets it spelled out, not a crash.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    root.main()


def _leave(_: int, __: FrameType | None) -> NoReturn:
    os._exit(TERMINATED)
