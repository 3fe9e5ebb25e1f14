"""What could not be taken in, in SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.errors import TryAgain
from adapters.sql.media_library import within
from adapters.sql.media_tables import media_failures
from application.ports.media_failures import MediaFailures
from application.ports.media_library import Stretch
from domain.ids import StorageConfigId
from domain.media.failed_file import FailedFile, RememberedFailure
from domain.media.failure import FailureReason
from domain.media.file import RelativePath

FAILURES: Final = media_failures.c

FORGET: Final = sa.delete(media_failures).where(
    FAILURES.storage_config_id == sa.bindparam("config"), FAILURES.file_path == sa.bindparam("path")
)


class SqlMediaFailures(MediaFailures):
    """The failures of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(
        self, config: StorageConfigId, stretch: Stretch, *, limit: int
    ) -> tuple[RememberedFailure, ...]:
        query = within(sa.select(media_failures), media_failures, config, stretch).limit(limit)
        return await self._database.read(
            lambda connection: tuple(map(_failure, connection.execute(query).all()))
        )

    async def record(self, config: StorageConfigId, failures: Sequence[FailedFile], *, at: datetime) -> None:
        def work(connection: sa.Connection) -> None:
            for failed in failures:
                self._record(connection, config, failed, at)

        if failures:
            await self._database.write(work)

    async def forget(self, config: StorageConfigId, paths: Sequence[RelativePath]) -> None:
        if paths:
            rows = [{"config": config, "path": path} for path in paths]
            await self._database.write(lambda connection: connection.execute(FORGET, rows).close())

    def _record(
        self, connection: sa.Connection, config: StorageConfigId, failed: FailedFile, at: datetime
    ) -> None:
        here = (FAILURES.storage_config_id == config) & (FAILURES.file_path == failed.path)
        row = {
            "reason": failed.reason.value,
            "size": failed.size,
            "mtime_ns": failed.mtime_ns,
            "last_seen_at": at,
        }
        if connection.execute(sa.update(media_failures).where(here).values(row)).rowcount:
            return
        new = {"storage_config_id": config, "file_path": failed.path, "first_seen_at": at, **row}
        values = sa.select(*(sa.literal(value, FAILURES[name].type) for name, value in new.items()))
        insert = self._database.dialect.insert(media_failures, list(new), values)
        if not connection.execute(insert.returning(FAILURES.file_path)).all():
            # Another crawl of the same folder recorded it since.
            raise TryAgain


def _failure(row: sa.Row[Any]) -> RememberedFailure:
    failed = FailedFile(RelativePath(row.file_path), FailureReason(row.reason), row.size, row.mtime_ns)
    return RememberedFailure(failed, row.first_seen_at, row.last_seen_at)
