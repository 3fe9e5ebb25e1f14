from pathlib import Path
from typing import Final

from adapters.sql.schema import schema_sql
from adapters.sql.tables import metadata

SCHEMA: Final = Path(__file__).parents[4] / "docs/schema.sql"


def test_the_written_schema_is_the_one_of_the_code() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema_sql(), "run `make schema`"


def test_every_table_and_column_says_what_it_is_for() -> None:
    silent = [
        str(part)
        for table in metadata.sorted_tables
        for part in (table, *table.columns)
        if not (part.comment or "").strip()
    ]

    assert silent == []
