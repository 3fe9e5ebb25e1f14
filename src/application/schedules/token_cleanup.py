"""When refresh tokens are cleaned up."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from application.scheduling import PeriodicWork, Schedule
from domain.account import StorageConfig
from domain.kinds.token_cleanup import DEDUP_KEY, TokenCleanupPayload


@dataclass(frozen=True, slots=True)
class TokenCleanupSchedule(Schedule):
    """One cleanup an interval for the whole install."""

    interval: timedelta

    def wanted(self, served: Iterable[StorageConfig]) -> tuple[PeriodicWork, ...]:  # noqa: ARG002 -- unscoped
        return (PeriodicWork(TokenCleanupPayload(), DEDUP_KEY, self.interval),)
