"""A flood of alike lines is cut down to one at a time: error floods fill disks during an outage."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from structlog import DropEvent
from structlog.typing import EventDict, WrappedLogger

EVERY_SECONDS: Final = 10.0

LIMITED_BY: Final = "limited_by"
"""Lines with this field are alike where it says the same. It is never shown."""


@dataclass(slots=True)
class _Told:
    at: float
    suppressed: int = 0


class RateLimit:
    """A processor: of alike lines one in ten seconds, which then says how many before it were not shown."""

    def __init__(
        self, seconds: float = EVERY_SECONDS, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = seconds
        self._monotonic = monotonic
        self._told: dict[str, _Told] = {}

    def __call__(self, _: WrappedLogger, __: str, event: EventDict) -> EventDict:
        alike = event.pop(LIMITED_BY, None)
        if alike is None:
            return event
        now = self._monotonic()
        told = self._told.get(alike)
        if told is not None and now - told.at < self._seconds:
            told.suppressed += 1
            raise DropEvent
        if told is not None and told.suppressed:
            event["suppressed"] = told.suppressed
        self._told[alike] = _Told(now)
        return event
