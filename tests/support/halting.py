"""A process that stands still in the middle of a call to the system, so that it can be killed exactly there."""

import os
import threading
from collections.abc import Sequence
from typing import Any, Final

OPTION: Final = "--halts-in="


def halting(call: str, name: str) -> str:
    """The argument that lets a worker halt when it asks the system to do this with this name."""
    return f"{OPTION}{call}:{name}"


def halt_as_told(arguments: Sequence[str]) -> None:
    """Put what these arguments say in the place of the system's own calls, for good."""
    for argument in arguments:
        if argument.startswith(OPTION):
            call, _, name = argument.removeprefix(OPTION).partition(":")
            _halt(call, name)


def _halt(call: str, name: str) -> None:
    real = getattr(os, call)

    def halts(path: Any, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 -- as the system's own
        if path == name:
            threading.Event().wait()
        return real(path, *arguments, **options)

    setattr(os, call, halts)
