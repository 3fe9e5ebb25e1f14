"""Who is alive, in SQL."""

from typing import Any

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.tables import workers
from application.ports.presence import Presences
from domain.ids import UserId, WorkerName
from domain.presence import FORGOTTEN_AFTER, SeenWorker, WorkerPresence
from domain.scope import AllScopes, Scope, UserScope


class SqlPresences(Presences):
    """The presence rows of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def seen(self, worker: WorkerPresence) -> None:
        """One small update, as a rule: only a worker's first sight looks for those that went silent.

        The update is a transaction of its own: an idle worker says little else, and saying that it begins and
        commits would make three statements of one.
        """
        await self._database.autocommit(lambda connection: self._seen(connection, worker))

    async def gone(self, worker: WorkerName) -> None:
        delete = sa.delete(workers).where(workers.c.name == worker)
        await self._database.autocommit(lambda connection: connection.execute(delete).rowcount)

    async def workers(self) -> tuple[SeenWorker, ...]:
        query = sa.select(workers).where(~self._is_silent())
        ordered = query.order_by(workers.c.last_seen_at.desc(), workers.c.name)
        return await self._database.read(
            lambda connection: tuple(map(_seen_worker, connection.execute(ordered).all()))
        )

    def _seen(self, connection: sa.Connection, worker: WorkerPresence) -> None:
        now = self._database.dialect.as_of
        told = {"user_id": _user_of(worker.scope), "version": worker.version, "slots": worker.slots}
        update = sa.update(workers).where(workers.c.name == worker.name).values(**told, last_seen_at=now)
        if connection.execute(update).rowcount == 0:
            # Names are of one process run each, so nobody else inserts this one in between.
            first = {"name": worker.name, "started_at": now, "last_seen_at": now}
            connection.execute(sa.insert(workers).values(**told, **first))
            connection.execute(sa.delete(workers).where(self._is_silent()))

    def _is_silent(self) -> sa.ColumnElement[bool]:
        dialect = self._database.dialect
        return workers.c.last_seen_at < dialect.later(dialect.as_of, -FORGOTTEN_AFTER)


def _user_of(scope: Scope) -> UserId | None:
    match scope:
        case AllScopes():
            return None
        case UserScope(user_id=user):
            return user


def _seen_worker(row: sa.Row[Any]) -> SeenWorker:
    scope = AllScopes() if row.user_id is None else UserScope(UserId(row.user_id))
    presence = WorkerPresence(name=WorkerName(row.name), scope=scope, version=row.version, slots=row.slots)
    return SeenWorker(presence, started_at=row.started_at, last_seen_at=row.last_seen_at)
