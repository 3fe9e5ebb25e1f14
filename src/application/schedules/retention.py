"""When finished items are purged."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from application.scheduling import PeriodicWork, Schedule
from domain.account import StorageConfig
from domain.kinds.retention import DEDUP_KEY, WorkItemRetentionPayload


@dataclass(frozen=True, slots=True)
class WorkItemRetentionSchedule(Schedule):
    """One purge an interval for the whole install."""

    interval: timedelta

    def wanted(self, served: Iterable[StorageConfig]) -> tuple[PeriodicWork, ...]:  # noqa: ARG002 -- unscoped
        return (PeriodicWork(WorkItemRetentionPayload(), DEDUP_KEY, self.interval),)
