"""A process that must not outlive the one that started it."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import rich_click as click

F = TypeVar("F", bound=Callable[..., Any])

OPTION = "--leave-with-parent"


def leave_with_parent_option(command: F) -> F:
    """Leave in good order when standard input ends: whoever holds its other end has died, or wants it so."""
    return click.option(
        OPTION,
        is_flag=True,
        hidden=True,
        expose_value=False,
        callback=lambda _, __, wanted: _hold_on() if wanted else None,
    )(command)


def _hold_on() -> None:
    threading.Thread(target=_leave_at_the_end_of_input, name="lifeline", daemon=True).start()


def _leave_at_the_end_of_input() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
