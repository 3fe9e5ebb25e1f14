"""What a periodic kind says about itself: which work it wants, and how often."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from domain.account import StorageConfig
from domain.ids import DedupKey, StorageConfigId
from domain.kinds.kind import WorkPayload


@dataclass(frozen=True, slots=True)
class PeriodicWork:
    """One item that should be queued whenever its dedup key is due."""

    payload: WorkPayload
    dedup_key: DedupKey
    interval: timedelta
    storage_config_id: StorageConfigId | None = None


class Schedule(Protocol):
    """A periodic kind's rule. The scheduler never asks which kind it is (S-9)."""

    def wanted(self, served: Iterable[StorageConfig]) -> tuple[PeriodicWork, ...]:
        """The work that this kind wants done, over and over, for the configs that this worker serves."""
        ...
