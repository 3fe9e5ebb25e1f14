"""The host's clock."""

import asyncio
import sys
import time
from datetime import UTC, datetime, timedelta

if sys.platform == "linux":
    # CLOCK_MONOTONIC stands still while the host is suspended, and the leases of its workers do not (R9).
    BOOT_CLOCK = time.CLOCK_BOOTTIME
else:
    BOOT_CLOCK = time.CLOCK_MONOTONIC

from application.ports.clock import Clock


class SystemClock(Clock):
    """The real `Clock`."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> timedelta:
        return timedelta(microseconds=time.clock_gettime_ns(BOOT_CLOCK) // 1_000)

    async def sleep(self, duration: timedelta) -> None:
        await asyncio.sleep(duration.total_seconds())
