"""What a worker tells of itself while it lives."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from domain.ids import WorkerName
from domain.scope import Scope

FORGOTTEN_AFTER: Final = timedelta(days=1)
"""A worker that has been silent for longer is not coming back."""

ONLINE_FOR: Final = timedelta(seconds=60)
"""A worker tells that it lives with every look for work; one that missed many is not counted on."""


@dataclass(frozen=True, slots=True)
class WorkerPresence:
    """One worker process: who it is and what it serves."""

    name: WorkerName
    scope: Scope
    version: str
    slots: int


@dataclass(frozen=True, slots=True)
class SeenWorker:
    """A worker as the store last heard of it, by the store's clock."""

    presence: WorkerPresence
    started_at: datetime
    last_seen_at: datetime

    def is_online(self, now: datetime) -> bool:
        """Whether it can be counted on at `now`, by the store's clock."""
        return now - self.last_seen_at < ONLINE_FOR
