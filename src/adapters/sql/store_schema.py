"""Whether the database has the tables that this version works with."""

from typing import Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.migrations import condition_of
from application.ports.store_schema import SchemaCondition, StoreSchema

VERSIONS: Final = sa.table("alembic_version", sa.column("version_num", sa.Text))
"""Alembic's own table."""


class SqlStoreSchema(StoreSchema):
    """Asks on the store's own connections, so within its deadline."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def condition(self) -> SchemaCondition:
        return condition_of(await self._database.read(_revision))


def _revision(connection: sa.Connection) -> str | None:
    # Not by Alembic, which logs each look, and health is looked at all day.
    if not sa.inspect(connection).has_table(VERSIONS.name):
        return None
    revision: str | None = connection.execute(sa.select(VERSIONS.c.version_num)).scalar_one_or_none()
    return revision
