"""Who is alive, in memory."""

from adapters.memory.database import MemoryDatabase
from application.ports.errors import StoreRefused
from application.ports.presence import Presences
from domain.ids import WorkerName
from domain.presence import FORGOTTEN_AFTER, SeenWorker, WorkerPresence
from domain.scope import UserScope


class MemoryPresences(Presences):
    """The presence rows of one memory database."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database
        self.rows: dict[WorkerName, SeenWorker] = database.table()

    async def seen(self, worker: WorkerPresence) -> None:
        async with self._database.step():
            scope = worker.scope
            if isinstance(scope, UserScope) and scope.user_id not in self._database.users:
                raise StoreRefused("there is no such user")
            now = self._database.now()
            known = self.rows.get(worker.name)
            started_at = now if known is None else known.started_at
            self.rows[worker.name] = SeenWorker(worker, started_at=started_at, last_seen_at=now)
            for name in [name for name in self.rows if self._is_silent(name)]:
                del self.rows[name]

    async def gone(self, worker: WorkerName) -> None:
        async with self._database.step():
            self.rows.pop(worker, None)

    async def workers(self) -> tuple[SeenWorker, ...]:
        async with self._database.step():
            heard = [seen for name, seen in self.rows.items() if not self._is_silent(name)]
            return tuple(sorted(heard, key=lambda seen: (-seen.last_seen_at.timestamp(), seen.presence.name)))

    def _is_silent(self, worker: WorkerName) -> bool:
        return self.rows[worker].last_seen_at < self._database.now() - FORGOTTEN_AFTER
