"""Event loops: the fastest that the platform has."""

import asyncio
from collections.abc import Callable
from typing import Final

try:
    from uvloop import new_event_loop
except ImportError:
    from asyncio import new_event_loop

new_loop: Final[Callable[[], asyncio.AbstractEventLoop]] = new_event_loop
