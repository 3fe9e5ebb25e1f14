"""A PostgreSQL that is too old."""

import psycopg
import pytest
import sqlalchemy as sa

from adapters.sql import postgres
from adapters.sql.engine import Database
from adapters.sql.migrations import check, migrate
from application.ports.errors import StoreUnfit


async def test_a_server_that_is_too_old_is_refused_before_anything_is_asked_of_it(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    libpq = sa.make_url(postgres_url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(libpq) as connection:
        version = connection.info.server_version // 10_000
    monkeypatch.setattr(postgres, "OLDEST_POSTGRES", version + 1)
    database = Database(postgres_url)

    told = rf"^PostgreSQL {version}\.\d+ is too old: {version + 1} is the oldest that will do\.$"
    with pytest.raises(StoreUnfit, match=told):
        await database.read(lambda connection: connection.execute(sa.select(1)).scalar_one())
    for look in (check, migrate):
        with pytest.raises(StoreUnfit, match=told):
            look(postgres_url)
    await database.close()
