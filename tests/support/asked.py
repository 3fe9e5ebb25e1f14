"""What a port asks its database, and how the database would go about it."""

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from adapters.sql.engine import Database

Asked = tuple[str, Any]


async def plan_of_what(database: Database, call: Awaitable[object]) -> str:
    """The plans of all that the call asks for, as text."""
    with _overheard(database) as asked:
        await call
    explain = "EXPLAIN QUERY PLAN" if database.dialect.single_writer else "EXPLAIN"

    def planned(connection: sa.Connection) -> list[str]:
        answers = [
            connection.exec_driver_sql(f"{explain} {statement}", parameters)
            for statement, parameters in asked
        ]
        return [str(row[-1]) for answer in answers for row in answer]

    return "\n".join(await database.read(planned))


@contextmanager
def _overheard(database: Database) -> Iterator[list[Asked]]:
    asked: list[Asked] = []

    def listen(_c: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        asked.append((statement, parameters))

    engine = database._engine
    sa.event.listen(engine, "before_cursor_execute", listen)
    yield asked
    sa.event.remove(engine, "before_cursor_execute", listen)
