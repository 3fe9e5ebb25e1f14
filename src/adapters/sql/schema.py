"""The schema for people to read, as PostgreSQL would be told it. Run as a program it writes docs/schema.sql.

It is made of the tables that the code works with. That the migrations lead to the same is for the tests to
show: they run both on a real server and compare what its catalog then says.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.schema import CreateIndex, CreateTable, DDLElement, SetColumnComment, SetTableComment

from adapters.sql import feed_triggers
from adapters.sql.media_tables import media_assets
from adapters.sql.migrations import known_revisions
from adapters.sql.session_tables import sessions
from adapters.sql.sweep_tables import request_keys
from adapters.sql.tables import work_items

HEADING: Final = """\
-- The schema of Anichron at revision {revision}, as its migrations make it on PostgreSQL.
-- Written by `make schema`, never by hand. SQLite has the same tables with the types that it has.
"""

POSTGRESQL: Final = sa.create_engine("postgresql+psycopg://").dialect

versions: Final = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False, comment="Its revision"),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
    comment="Which migration ran last",
)
"""Alembic's own table."""


def schema_sql() -> str:
    """The whole schema as one script, the same in every run."""
    newest = known_revisions()[0]
    # Whichever modules tables are in, they have one metadata; it knows those that were imported.
    (metadata,) = {media_assets.metadata, sessions.metadata, request_keys.metadata}
    tables = [*metadata.sorted_tables, versions]
    return "\n".join([HEADING.format(revision=newest), *("".join(_statements(table)) for table in tables)])


def _statements(table: sa.Table) -> Iterator[str]:
    yield _written(CreateTable(table))
    for index in sorted(table.indexes, key=lambda index: str(index.name)):
        yield _written(CreateIndex(index))
    if table is work_items:
        yield from (f"\n{statement.strip()};\n" for statement in feed_triggers.POSTGRES)
    yield _written(SetTableComment(table))
    for column in table.columns:
        yield _written(SetColumnComment(column))


def _written(element: DDLElement) -> str:
    text = str(element.compile(dialect=POSTGRESQL)).strip().replace("\t", "    ").replace("\n WITH", " WITH")
    return "\n".join(line.rstrip() for line in text.splitlines()) + ";\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(schema_sql(), encoding="utf-8")
