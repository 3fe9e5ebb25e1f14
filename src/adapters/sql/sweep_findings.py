"""The findings of proxy sweeps, in SQL."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.sweep_tables import proxy_sweep_findings
from application.ports.sweep_findings import SweepFindings
from domain.attempt import RunId
from domain.ids import StorageConfigId
from domain.media.proxy_finding import DELETABLE, Amount, Finding, FindingKind, FindingNumber

BATCH: Final = 1_000
"""Numbers that one statement names: engines bound the number of parameters."""

TABLE: Final = proxy_sweep_findings.c

KNOWN: Final = [kind.value for kind in FindingKind]
"""A newer version may find more; to this one that is not there."""


class SqlSweepFindings(SweepFindings):
    """The findings of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        given = sa.select(*(sa.bindparam(column.name, type_=column.type) for column in TABLE))
        self._insert = database.dialect.insert(proxy_sweep_findings, TABLE.keys(), given)

    async def record(self, run: RunId, findings: Sequence[Finding]) -> None:
        rows = [_row(run, finding) for finding in findings]
        if rows:
            await self._database.write(lambda connection: connection.execute(self._insert, rows).close())

    async def page(
        self,
        run: RunId,
        *,
        kinds: Collection[FindingKind],
        owners: Collection[StorageConfigId] | None = None,
        after: FindingNumber = FindingNumber(0),  # noqa: B008 -- a number
        limit: int,
    ) -> tuple[Finding, ...]:
        query = _of(run).where(TABLE.what.in_([kind.value for kind in kinds]), TABLE.number > after)
        if owners is not None:
            query = query.where(TABLE.owner_id.in_(list(owners)))
        return await self._found(query.limit(limit))

    async def numbered(self, run: RunId, numbers: Collection[FindingNumber]) -> tuple[Finding, ...]:
        wanted = sorted(numbers)
        return await self._database.read(
            lambda connection: tuple(
                finding
                for start in range(0, len(wanted), BATCH)
                for finding in _numbered(connection, run, wanted[start : start + BATCH])
            )
        )

    async def deletable(self, run: RunId) -> Mapping[StorageConfigId, Amount]:
        files = TABLE.what.in_([kind.value for kind in DELETABLE])
        size = sa.cast(sa.func.sum(TABLE.size), sa.BigInteger)
        query = (
            sa.select(TABLE.owner_id, sa.func.count().label("files"), size.label("size"))
            .where(_is_of(run), files)
            .group_by(TABLE.owner_id)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {StorageConfigId(row.owner_id): Amount(row.files, row.size) for row in rows}

    async def _found(self, query: sa.Select[Any]) -> tuple[Finding, ...]:
        return await self._database.read(
            lambda connection: tuple(map(_finding, connection.execute(query).all()))
        )


def _is_of(run: RunId) -> sa.ColumnElement[bool]:
    return (TABLE.work_item_id == run.work_item_id) & (TABLE.attempt == run.attempt)


def _of(run: RunId) -> sa.Select[Any]:
    return sa.select(proxy_sweep_findings).where(_is_of(run)).order_by(TABLE.number)


def _numbered(connection: sa.Connection, run: RunId, numbers: Sequence[FindingNumber]) -> list[Finding]:
    # Sorted here: to get them in order, PostgreSQL might look at every finding of the run.
    query = sa.select(proxy_sweep_findings).where(
        _is_of(run), TABLE.number.in_(numbers), TABLE.what.in_(KNOWN)
    )
    return sorted(map(_finding, connection.execute(query).all()), key=lambda finding: finding.number)


def _row(run: RunId, finding: Finding) -> dict[str, Any]:
    return {
        "work_item_id": run.work_item_id,
        "attempt": run.attempt,
        "number": finding.number,
        "what": finding.what.value,
        "path": finding.path,
        "size": finding.size,
        "modified_at": finding.modified_at,
        "owner_id": finding.owner,
    }


def _finding(row: sa.Row[Any]) -> Finding:
    return Finding(
        number=FindingNumber(row.number),
        what=FindingKind(row.what),
        path=row.path,
        size=row.size,
        modified_at=row.modified_at,
        owner=StorageConfigId(row.owner_id),
    )
