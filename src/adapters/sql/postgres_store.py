"""The queue's store on PostgreSQL: its hot verbs are one statement each, on the driver's own connection."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC
from typing import Any, Final

import psycopg
import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.postgres import driver_of
from adapters.sql.postgres_statements import (
    INSERT,
    ClaimShape,
    HotEnd,
    claim,
    finish,
    finish_and_claim,
    heartbeat,
    shape_of,
)
from adapters.sql.work_store import SqlWorkStore, recorded_or_fenced
from application.ports.claims import ClaimRequest
from domain.events import Fail, Heartbeat, Release, Retry, RunEnd, Stop, Succeed
from domain.ids import Attempt, DedupKey, JsonText, KindName, StorageConfigId, UserId, WorkItemId
from domain.lease import Lease
from domain.outcomes import (
    Fenced,
    FinishAnswer,
    HeartbeatAnswer,
    LeaseExtended,
    Recorded,
    StopRequested,
)
from domain.progress import Progress
from domain.scope import AllScopes, UserScope
from domain.work_item import NewWorkItem, Running, WorkItem

Row = Sequence[Any]
Parameters = dict[str, Any]
Driver = psycopg.Connection[Any]

LOOKS: Final = 4
"""How often a claimer looks again when others had everything that it saw."""

WIDER: Final = 8
"""How many times as far it looks then, if there was more to see."""


class PostgresWorkStore(SqlWorkStore):
    """Each statement is a transaction of its own: no round trip goes to BEGIN and COMMIT."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, _try_insert)

    async def claim(self, request: ClaimRequest) -> tuple[WorkItem, ...]:
        return await self._database.autocommit(lambda connection: _claim(driver_of(connection), request))

    async def heartbeat(self, item: WorkItemId, beat: Heartbeat) -> HeartbeatAnswer:
        statement = heartbeat(tells_progress=beat.progress is not None)
        parameters = {
            "id": item,
            "attempt": beat.attempt,
            "lease_for": beat.lease_for,
            **_of_progress(beat.progress),
        }
        row = await self._database.autocommit(
            lambda connection: driver_of(connection).execute(statement, parameters).fetchone()
        )
        match row:
            case None:
                return Fenced()
            case (True,):
                return StopRequested()
            case _:
                return LeaseExtended()

    async def finish(self, item: WorkItemId, end: RunEnd) -> FinishAnswer:
        match end:
            case Succeed() | Fail() | Stop():
                return await self._database.autocommit(lambda connection: _finish(connection, item, end))
            case Retry() | Release():
                return await self._database.write(lambda connection: self._finish(connection, item, end))

    async def finish_and_claim(
        self, item: WorkItemId, end: RunEnd, request: ClaimRequest
    ) -> tuple[FinishAnswer, tuple[WorkItem, ...]]:
        match end:
            case Succeed() | Fail() | Stop():
                return await self._database.autocommit(
                    lambda connection: _finish_and_claim(connection, item, end, request)
                )
            case Retry() | Release():
                return await self._database.write(
                    lambda connection: (
                        self._finish(connection, item, end),
                        _claim(driver_of(connection), request),
                    )
                )


def _try_insert(connection: sa.Connection, new: NewWorkItem) -> bool:
    parameters = {
        "id": new.id,
        "kind": new.kind,
        "payload": new.payload,
        "storage_config_id": new.storage_config_id,
        "dedup_key": new.dedup_key,
        "requested_by": new.requested_by,
    }
    return driver_of(connection).execute(INSERT, parameters).fetchone() is not None


def _claim(driver: Driver, request: ClaimRequest) -> tuple[WorkItem, ...]:
    return _look(driver, request, shape_of(request.scope, limit=request.limit), LOOKS)


def _look(driver: Driver, request: ClaimRequest, shape: ClaimShape, looks: int) -> tuple[WorkItem, ...]:
    rows = driver.execute(claim(shape), _of_claim(request)).fetchall()
    return _claimed(rows, request) or _look_again(driver, request, shape, rows[0][0], looks - 1)


def _look_again(
    driver: Driver, request: ClaimRequest, shape: ClaimShape, heads: int, looks: int
) -> tuple[WorkItem, ...]:
    """What else there is, after a look at so many heads that were all in somebody else's hands (R5)."""
    if heads == 0 or looks == 0:
        return ()
    further = shape.heads * WIDER if heads == shape.heads else shape.heads
    return _look(driver, request, replace(shape, heads=further), looks)


def _finish(connection: sa.Connection, item: WorkItemId, end: HotEnd) -> FinishAnswer:
    statement = finish(type(end), tells_progress=end.progress is not None)  # type: ignore[arg-type]  # a class does hash
    row = driver_of(connection).execute(statement, _of_end(item, end)).fetchone()
    return recorded_or_fenced(connection, item, end) if row is None else Recorded()


def _finish_and_claim(
    connection: sa.Connection, item: WorkItemId, end: HotEnd, request: ClaimRequest
) -> tuple[FinishAnswer, tuple[WorkItem, ...]]:
    """Both in one statement: in one round trip, and one transaction."""
    driver = driver_of(connection)
    shape = shape_of(request.scope, limit=request.limit)
    statement = finish_and_claim(type(end), shape, tells_progress=end.progress is not None)  # type: ignore[arg-type]
    rows = driver.execute(statement, _of_end(item, end) | _of_claim(request)).fetchall()
    ended, heads, *_ = rows[0]
    answer = Recorded() if ended == 1 else recorded_or_fenced(connection, item, end)
    claimed = _claimed([row[1:] for row in rows], request)
    return answer, claimed or _look_again(driver, request, shape, heads, LOOKS - 1)


def _claimed(rows: Sequence[Row], request: ClaimRequest) -> tuple[WorkItem, ...]:
    items = [_running_item(row, request) for row in rows if row[1] is not None]
    return tuple(sorted(items, key=lambda item: (item.requested_at, item.id)))


def _running_item(row: Row, request: ClaimRequest) -> WorkItem:
    _, id_, kind, payload, config, key, user, requested_at, attempt, stalls, retries, now, until, revision = (
        row
    )
    started_at = now.astimezone(UTC)
    return WorkItem(
        id=WorkItemId(id_),
        kind=KindName(kind),
        payload=JsonText(payload),
        storage_config_id=None if config is None else StorageConfigId(config),
        dedup_key=None if key is None else DedupKey(key),
        requested_by=None if user is None else UserId(user),
        requested_at=requested_at.astimezone(UTC),
        attempt=Attempt(attempt),
        stalls=stalls,
        retries=retries,
        updated_at=started_at,
        revision=revision,
        state=Running(Lease(request.holder, until.astimezone(UTC)), started_at),
    )


def _of_claim(request: ClaimRequest) -> Parameters:
    common = {"kinds": sorted(request.kinds), "holder": request.holder, "lease_for": request.lease_for}
    match request.scope:
        case AllScopes():
            return common
        case UserScope(user_id=user):
            return {**common, "user": user}


def _of_end(item: WorkItemId, end: HotEnd) -> Parameters:
    common = {"id": item, "attempt": end.attempt, **_of_progress(end.progress)}
    match end:
        case Succeed(result=document) | Stop(partial=document):
            return {**common, "result": document}
        case Fail(failure=failure):
            return {**common, "error": failure.text, "error_code": failure.code}


def _of_progress(progress: Progress | None) -> Parameters:
    if progress is None:
        return {}
    return {"done": progress.done, "total": progress.total, "note": progress.note}
