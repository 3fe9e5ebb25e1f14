import psycopg
import sqlalchemy as sa

from adapters.sql.migrations import check, known_revisions, migrate
from application.ports.store_schema import SchemaFits


def test_a_database_without_an_encoding_of_its_own_is_served_in_utf_8(empty_postgres_url: str) -> None:
    url = sa.make_url(empty_postgres_url)
    plain = url.set(database=f"{url.database}_ascii")
    with _server(url) as server:
        server.execute(
            f"CREATE DATABASE {plain.database} TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'"
        )
    try:
        migrate(plain.render_as_string(hide_password=False))

        assert check(plain.render_as_string(hide_password=False)) == SchemaFits(known_revisions()[0])
    finally:
        with _server(url) as server:
            server.execute(f"DROP DATABASE {plain.database}")


def _server(url: sa.URL) -> "psycopg.Connection[tuple[object, ...]]":
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(plain, autocommit=True)
