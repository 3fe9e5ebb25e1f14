"""Signals that ask a process to leave. Loads nothing slow, so that it can be the first thing loaded (R23)."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Final, NoReturn

ASKED_TO_LEAVE: Final = (signal.SIGTERM, signal.SIGINT)
CUT_SHORT: Final = 128
HUNG: Final = 70


class Signals:
    """The first signal asks to leave, and a second leaves at once.

    Whoever does not leave within the grace is made to, whatever its main thread is stuck in.
    """

    def __init__(self, *, grace_seconds: float) -> None:
        self._grace_seconds = grace_seconds
        self._asked = False
        self._tell: Callable[[], object] = lambda: None

    def catch(self) -> None:
        """Take the signals from now on."""
        for number in ASKED_TO_LEAVE:
            signal.signal(number, self._on)

    def tell(self, tell: Callable[[], object]) -> None:
        """Call this on the main thread when the process is asked to leave, at once where it was already."""
        self._tell = tell
        if self._asked:
            tell()

    def _on(self, number: int, _: FrameType | None) -> None:
        if self._asked:
            os._exit(CUT_SHORT + number)
        self._asked = True
        last_resort = threading.Timer(self._grace_seconds, os._exit, [HUNG])
        last_resort.daemon = True
        last_resort.start()
        self._tell()


def leave(code: int) -> NoReturn:
    """End the process now: no thread that hangs in a handler or in a store is waited for (R22)."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue
    os._exit(code)
