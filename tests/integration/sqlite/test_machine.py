"""The store on SQLite under random commands."""

from tests.contracts.random_commands import run_random_commands
from tests.support.sql import a_sql_house


def test_the_store_on_sqlite_keeps_the_table_of_the_model(sqlite_url: str) -> None:
    run_random_commands(a_sql_house(sqlite_url), examples=25)
