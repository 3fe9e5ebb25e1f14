"""Finding items by their ids, by ranges of the primary key."""

from uuid import UUID

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.tables import work_items
from domain.ids import WorkItemId


class SqlWorkLookup:
    """The ids of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def between(self, first: UUID, last: UUID, *, limit: int) -> tuple[WorkItemId, ...]:
        query = (
            sa.select(work_items.c.id)
            .where(work_items.c.id.between(first, last))
            .order_by(work_items.c.id)
            .limit(limit)
        )

        def look(connection: sa.Connection) -> tuple[WorkItemId, ...]:
            return tuple(map(WorkItemId, connection.execute(query).scalars()))

        return await self._database.read(look)
