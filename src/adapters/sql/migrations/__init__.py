"""The schema's way from one revision to the next. The revisions themselves are in `versions`."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from tenacity import RetryCallState, retry, retry_if_exception, wait_fixed

from adapters.sql.errors import translated
from adapters.sql.feed_origin import settle
from adapters.sql.migrations.connections import is_file, is_locked_out, looking, migrating
from application.ports.errors import SchemaFromTheFuture
from application.ports.store_schema import SchemaAhead, SchemaBehind, SchemaCondition, SchemaFits

BREATH: Final = timedelta(milliseconds=200)
"""Between two tries, for those who waited behind the first."""

log = logging.getLogger(__name__)

# Alembic keeps the migration that runs in globals of its own: in one process, one after the other.
_alembic: Final = threading.Lock()


def migrate(url: str) -> SchemaFits | SchemaBehind:
    """Bring the schema to the newest revision that this version knows. Answers how it stood before.

    Two that start at once are safe: one waits. A killed migration leaves the old schema or the new one.
    Raises `SchemaFromTheFuture`, and `StoreUnavailable` for a database that does not answer.
    """
    with _told_as_ports_do():
        return _migrate(sa.make_url(url))


def check(url: str) -> SchemaFits | SchemaBehind:
    """How the database stands to this version; changes nothing. Raises what `migrate` raises."""
    return _not_ahead(condition_of(current(url)))


def current(url: str) -> str | None:
    """The revision of the database, be it known or not; None before the first migration."""
    where = sa.make_url(url)
    if is_file(where) and not Path(where.database or "").exists():
        # To look at a file that is not there would make it.
        return None
    with _told_as_ports_do(), looking(where) as connection:
        return _revision(connection)


def known_revisions() -> tuple[str, ...]:
    """Every revision that this version knows, the newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def condition_of(revision: str | None) -> SchemaCondition:
    """How a database at this revision stands to this version."""
    known = known_revisions()
    newest = known[0]
    if revision == newest:
        return SchemaFits(newest)
    if revision is None or revision in known:
        return SchemaBehind(revision, newest)
    return SchemaAhead(revision, newest)


def _say_that_it_waits(_: RetryCallState) -> None:
    log.info("the database is locked by another process: the migration waits")


@retry(retry=retry_if_exception(is_locked_out), wait=wait_fixed(BREATH), before_sleep=_say_that_it_waits)
def _migrate(url: sa.URL) -> SchemaFits | SchemaBehind:
    with migrating(url) as connection:
        before = _not_ahead(condition_of(_revision(connection)))
        if isinstance(before, SchemaBehind):
            _upgrade(connection)
        settle(connection)
        return before


def _upgrade(connection: sa.Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    with _alembic:
        command.upgrade(config, "head")


def _not_ahead(condition: SchemaCondition) -> SchemaFits | SchemaBehind:
    if isinstance(condition, SchemaAhead):
        raise SchemaFromTheFuture(
            f"The database is at revision {condition.revision}; this version knows none after {condition.newest}. "
            "Run the version that migrated it, or a newer one."
        )
    return condition


def _revision(connection: sa.Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "adapters.sql:migrations")
    return config


@contextmanager
def _told_as_ports_do() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        told = translated(error)
        if told is error:
            raise
        raise told from error
