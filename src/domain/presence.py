"""What a worker tells of itself while it lives."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from domain.ids import WorkerName
from domain.scope import Scope

FORGOTTEN_AFTER: Final = timedelta(days=1)
"""A worker that has been silent for longer is not coming back."""


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
