"""The queue's store on SQLite: whoever writes is alone, so the generic verbs are enough."""

import json
from typing import Any, Final

import sqlalchemy as sa

from adapters.sql.apply import apply
from adapters.sql.engine import Database
from adapters.sql.inbox import inserting
from adapters.sql.work_store import SqlWorkStore
from application.ports.claims import ClaimRequest
from domain.events import Claim, Heartbeat, RunEnd
from domain.ids import WorkItemId
from domain.moves import Moved
from domain.outcomes import (
    Fenced,
    FinishAnswer,
    HeartbeatAnswer,
    LeaseExtended,
    Refused,
    StopRequested,
    UnknownItem,
)
from domain.scope import AllScopes, Scope, UserScope
from domain.work_item import Running, WorkItem

# The head of each (kind, config) by one search of an index, whatever waits for others (R1). Of those that are
# ready since an instant only the 64 that are so for longest are looked at.
HEAD: Final = """
WITH config (id) AS (SELECT id FROM storage_configs {served} UNION ALL SELECT NULL),
head (id) AS (
    SELECT (
        SELECT ready.id FROM work_items AS ready
        WHERE ready.status = 'queued' AND ready.run_after IS NULL
            AND ready.kind = kind.value AND ready.storage_config_id IS config.id
        ORDER BY ready.requested_at, ready.id LIMIT 1
    ) FROM json_each(:kinds) AS kind CROSS JOIN config
    UNION ALL
    SELECT (
        SELECT due.id FROM (
            SELECT later.id, later.requested_at FROM work_items AS later
            WHERE later.status = 'queued' AND later.run_after <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                AND later.kind = kind.value AND later.storage_config_id IS config.id
            ORDER BY later.run_after, later.id LIMIT 64
        ) AS due ORDER BY due.requested_at, due.id LIMIT 1
    ) FROM json_each(:kinds) AS kind CROSS JOIN config
)
SELECT item.id FROM head CROSS JOIN work_items AS item ON item.id = head.id
ORDER BY item.requested_at, item.id LIMIT 1
"""
ANY_HEAD: Final = sa.text(HEAD.format(served="")).columns(id=sa.Uuid)
HEAD_OF_A_USER: Final = (
    sa.text(HEAD.format(served="WHERE user_id = :user AND is_active"))
    .bindparams(sa.bindparam("user", type_=sa.Uuid))
    .columns(id=sa.Uuid)
)


class SqliteWorkStore(SqlWorkStore):
    """The hot verbs by `advance`. Claims one head after the other."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, inserting(database.dialect))

    async def claim(self, request: ClaimRequest) -> tuple[WorkItem, ...]:
        # An idle worker's polls take no lock.
        if await self._database.read(lambda connection: _head(connection, request)) is None:
            return ()
        return await self._database.write(lambda connection: self._claim(connection, request))

    async def finish_and_claim(
        self, item: WorkItemId, end: RunEnd, request: ClaimRequest
    ) -> tuple[FinishAnswer, tuple[WorkItem, ...]]:
        return await self._database.write(
            lambda connection: (self._finish(connection, item, end), self._claim(connection, request))
        )

    async def finish(self, item: WorkItemId, end: RunEnd) -> FinishAnswer:
        return await self._database.write(lambda connection: self._finish(connection, item, end))

    async def heartbeat(self, item: WorkItemId, beat: Heartbeat) -> HeartbeatAnswer:
        match await self._database.write(lambda connection: self._apply(connection, item, beat)):
            case Moved(item=WorkItem(state=Running(cancel_requested_at=None))):
                return LeaseExtended()
            case Moved():
                return StopRequested()
            case Fenced() | Refused() | UnknownItem():
                return Fenced()

    def _claim(self, connection: sa.Connection, request: ClaimRequest) -> tuple[WorkItem, ...]:
        event = Claim(request.holder, request.lease_for)
        claimed: list[WorkItem] = []
        while len(claimed) < request.limit and (head := _head(connection, request)) is not None:
            moved = apply(connection, self._dialect, head, event)
            # Nobody else writes meanwhile, but the clock may step back, and a head be early by that.
            if not isinstance(moved, Moved):
                break
            claimed.append(moved.item)
        return tuple(claimed)


def _head(connection: sa.Connection, request: ClaimRequest) -> WorkItemId | None:
    kinds = json.dumps(sorted(request.kinds))
    head = _heads(connection, request.scope, kinds).scalar_one_or_none()
    return None if head is None else WorkItemId(head)


def _heads(connection: sa.Connection, scope: Scope, kinds: str) -> sa.CursorResult[Any]:
    match scope:
        case AllScopes():
            return connection.execute(ANY_HEAD, {"kinds": kinds})
        case UserScope(user_id=user):
            return connection.execute(HEAD_OF_A_USER, {"kinds": kinds, "user": user})
