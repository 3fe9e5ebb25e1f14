"""When the photo folders are crawled."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from application.scheduling import PeriodicWork, Schedule
from domain.account import StorageConfig
from domain.kinds.crawl import CrawlPayload, dedup_key


@dataclass(frozen=True, slots=True)
class CrawlSchedule(Schedule):
    """One crawl an interval for each config that the worker serves."""

    interval: timedelta

    def wanted(self, served: Iterable[StorageConfig]) -> tuple[PeriodicWork, ...]:
        return tuple(self._crawl_of(config) for config in served)

    def _crawl_of(self, config: StorageConfig) -> PeriodicWork:
        payload = CrawlPayload(config.id)
        return PeriodicWork(payload, dedup_key(payload), self.interval, storage_config_id=config.id)
