"""Who is alive, in memory."""

from adapters.memory.database import MemoryDatabase
from application.ports.errors import StoreRefused
from domain.ids import WorkerName
from domain.presence import FORGOTTEN_AFTER, SeenWorker, WorkerPresence
from domain.scope import UserScope


class MemoryPresences:
    """The presence rows of one memory database."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database
        self._workers: dict[WorkerName, SeenWorker] = database.table()

    async def seen(self, worker: WorkerPresence) -> None:
        async with self._database.step():
            scope = worker.scope
            if isinstance(scope, UserScope) and scope.user_id not in self._database.users:
                raise StoreRefused("there is no such user")
            now = self._database.now()
            known = self._workers.get(worker.name)
            started_at = now if known is None else known.started_at
            self._workers[worker.name] = SeenWorker(worker, started_at=started_at, last_seen_at=now)
            for name in [name for name in self._workers if self._is_silent(name)]:
                del self._workers[name]

    async def gone(self, worker: WorkerName) -> None:
        async with self._database.step():
            self._workers.pop(worker, None)

    async def workers(self) -> tuple[SeenWorker, ...]:
        async with self._database.step():
            heard = [seen for name, seen in self._workers.items() if not self._is_silent(name)]
            return tuple(sorted(heard, key=lambda seen: (-seen.last_seen_at.timestamp(), seen.presence.name)))

    def _is_silent(self, worker: WorkerName) -> bool:
        return self._workers[worker].last_seen_at < self._database.now() - FORGOTTEN_AFTER
