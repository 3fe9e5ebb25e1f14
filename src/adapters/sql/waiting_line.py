"""Who is first in line, in SQL: a search of the claim's indexes for each kind and scope."""

from typing import Any

import sqlalchemy as sa

from adapters.sql.dialect import Dialect
from adapters.sql.engine import Database
from adapters.sql.tables import storage_configs, waiting, work_items
from application.ports.waiting_line import Heads, WaitingLine
from domain.ids import KindName, StorageConfigId, WorkItemId
from domain.outlook import Head


class SqlWaitingLine(WaitingLine):
    """The line of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def heads(self, kinds: frozenset[KindName]) -> Heads:
        query = _firsts(self._database.dialect, kinds)
        clock = self._database.dialect.clock

        def look(connection: sa.Connection) -> Heads:
            as_of = connection.execute(clock).scalar_one()
            firsts = {id_ for row in connection.execute(query) for id_ in row if id_ is not None}
            some = sa.select(work_items.c.id, work_items.c.requested_at, work_items.c.storage_config_id)
            rows = connection.execute(some.where(work_items.c.id.in_(firsts), waiting)).all()
            return Heads(tuple(map(_head, rows)), as_of)

        return await self._database.read(look)


def _firsts(dialect: Dialect, kinds: frozenset[KindName]) -> sa.CompoundSelect[Any]:
    each = dialect.each(sorted(kinds))
    scoped = work_items.c.storage_config_id == storage_configs.c.id
    unscoped = work_items.c.storage_config_id.is_(None)
    of_configs = sa.select(*_ready(dialect, each, scoped)).select_from(
        each.join(storage_configs, onclause=sa.true())
    )
    return of_configs.union_all(sa.select(*_ready(dialect, each, unscoped)).select_from(each))


def _ready(
    dialect: Dialect, each: sa.TableValuedAlias, in_scope: sa.ColumnElement[bool]
) -> tuple[sa.ScalarSelect[Any], sa.ScalarSelect[Any]]:
    due = work_items.c.run_after.is_not(None) & (work_items.c.run_after <= dialect.as_of)
    never_tried = (work_items.c.run_after.is_(None), work_items.c.requested_at)
    return _first(each, in_scope, *never_tried), _first(each, in_scope, due, work_items.c.run_after)


def _first(
    each: sa.TableValuedAlias,
    in_scope: sa.ColumnElement[bool],
    ready: sa.ColumnElement[bool],
    order: sa.ColumnElement[Any],
) -> sa.ScalarSelect[Any]:
    # Ordered by every column of the index, as the claim is: otherwise all that wait would be sorted (R2).
    columns = (work_items.c.kind, work_items.c.storage_config_id, order, work_items.c.id)
    return (
        sa.select(work_items.c.id)
        .where(waiting, ready, work_items.c.kind == each.c.value, in_scope)
        .order_by(*columns)
        .limit(1)
        .correlate(each, storage_configs)
        .scalar_subquery()
    )


def _head(row: sa.Row[Any, Any, Any]) -> Head:
    config = row.storage_config_id
    return Head(WorkItemId(row.id), row.requested_at, None if config is None else StorageConfigId(config))
