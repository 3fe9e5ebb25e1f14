"""Event loops: the fastest that the platform has."""

import asyncio
import importlib
from collections.abc import Callable
from typing import Final

NewLoop = Callable[[], asyncio.AbstractEventLoop]


def _fastest() -> NewLoop:
    try:
        return importlib.import_module("uvloop").new_event_loop  # type: ignore[no-any-return]
    except ImportError:
        return asyncio.new_event_loop


new_loop: Final = _fastest()
