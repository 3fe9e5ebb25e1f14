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


HURRY_SECONDS: Final = 0.5
"""What a second signal leaves of the grace: enough to hand work back, and at once for whoever sent it."""


class Signals:
    """The first signal asks to leave, a second one to do so at once, and a third waits for nothing.

    Whoever does not leave in time is made to, whatever its main thread is stuck in.
    """

    def __init__(self, *, grace_seconds: float) -> None:
        self._grace_seconds = grace_seconds
        self._times_asked = 0
        self._tell: Callable[[], object] = _nothing
        self._hurry: Callable[[], object] | None = None
        self.code = 0
        """How the process should end: 0, or the code of one that was cut short."""

    def catch(self) -> None:
        """Take the signals from now on."""
        for number in ASKED_TO_LEAVE:
            signal.signal(number, self._on)

    def tell(self, tell: Callable[[], object], *, hurry: Callable[[], object] | None = None) -> None:
        """Call these on the main thread when the process is asked to leave, at once where it was already.

        Without `hurry` there is nothing to hand back: then a second signal ends the process by itself.
        """
        self._tell, self._hurry = tell, hurry
        if self._times_asked:
            tell()

    def _on(self, number: int, _: FrameType | None) -> None:
        self._times_asked += 1
        if self._times_asked == 1:
            _end_after(self._grace_seconds, HUNG)
            self._tell()
        elif self._times_asked == 2 and self._hurry is not None:  # noqa: PLR2004 -- a second signal is one
            self.code = CUT_SHORT + number
            _end_after(HURRY_SECONDS, self.code)
            self._hurry()
        else:
            os._exit(CUT_SHORT + number)


def leave(code: int) -> NoReturn:
    """End the process now: no thread that hangs in a handler or in a store is waited for (R22)."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue
    os._exit(code)


def _end_after(seconds: float, code: int) -> None:
    last_resort = threading.Timer(seconds, os._exit, [code])
    last_resort.daemon = True
    last_resort.start()


def _nothing() -> None:
    """Do nothing: nobody has said yet what there is to do."""
