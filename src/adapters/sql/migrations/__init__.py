"""The schema's way from one revision to the next. The revisions themselves are in `versions`."""

import threading
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from adapters.sql.migrations.locks import migrating
from application.ports.errors import SchemaFromTheFuture


@dataclass(frozen=True, slots=True)
class UpToDate:
    """The schema is the one that this version wants."""

    revision: str


@dataclass(frozen=True, slots=True)
class Behind:
    """The schema has to be migrated. `revision` is None for a database without any."""

    revision: str | None
    newest: str


SchemaState = UpToDate | Behind

# Alembic keeps the migration that runs in globals of its own: in one process, one after the other.
_alembic: Final = threading.Lock()


def migrate(url: str) -> UpToDate:
    """Bring the schema to the newest revision that this version knows; nothing to do is fine.

    Two that start at once are safe: one waits. A killed migration leaves the old schema or the new one.
    Raises `SchemaFromTheFuture`.
    """
    with migrating(sa.make_url(url)) as connection:
        if isinstance(_state(connection), Behind):
            with _alembic:
                config = _config()
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
    return UpToDate(_known()[0])


def check(url: str) -> SchemaState:
    """How the database stands to this version; changes nothing. Raises `SchemaFromTheFuture`."""
    with sa.create_engine(url, poolclass=sa.NullPool).connect() as connection:
        return _state(connection)


def current(url: str) -> str | None:
    """The revision of the database, be it known or not; None before the first migration."""
    with sa.create_engine(url, poolclass=sa.NullPool).connect() as connection:
        return _revision(connection)


def _state(connection: sa.Connection) -> SchemaState:
    revision, known = _revision(connection), _known()
    newest = known[0]
    if revision == newest:
        return UpToDate(newest)
    if revision not in {None, *known}:
        raise SchemaFromTheFuture(
            f"The database is at revision {revision}; this version knows none after {newest}. "
            "Run the version that migrated it, or a newer one."
        )
    return Behind(revision, newest)


def _revision(connection: sa.Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _known() -> tuple[str, ...]:
    """Every revision that this version knows, the newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "adapters.sql:migrations")
    return config
