"""Who is alive (S-23)."""

from typing import Protocol

from domain.ids import WorkerName
from domain.presence import SeenWorker, WorkerPresence


class Presences(Protocol):
    """The workers' presence rows."""

    async def seen(self, worker: WorkerPresence) -> None:
        """Note that this worker lives now, by the store's clock; forget those silent for over a day."""
        ...

    async def gone(self, worker: WorkerName) -> None:
        """Forget a worker that left in good order."""
        ...

    async def workers(self) -> tuple[SeenWorker, ...]:
        """Every worker heard of, most recently seen first."""
        ...
