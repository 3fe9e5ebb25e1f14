"""Whether the database has the tables that this version needs, and how it comes by them."""

import logging
import os
from pathlib import Path
from typing import assert_never

import sqlalchemy as sa

from adapters.sql import migrations
from application.ports.store_schema import SchemaBehind, SchemaFits
from entrypoints.settings.errors import SettingsError
from entrypoints.settings.model import Migrate, Settings
from entrypoints.settings.stores import PostgresServer, SqliteFile, StoreLocation, store_location
from entrypoints.wiring.stores import url_of

PRIVATE = 0o700
TIMEOUT = "connect_timeout"
CONNECT_SECONDS = "10"

# Its lines at INFO tell of each migration in words that are nobody's here.
logging.getLogger("alembic").setLevel(logging.WARNING)


def schema_state(location: StoreLocation) -> SchemaFits | SchemaBehind:
    """How the database stands to this version. Creates nothing, not even an empty file.

    Raises `StoreUnavailable`, `SchemaFromTheFuture`, and `SettingsError` for a file that cannot be worked on.
    """
    match location:
        case SqliteFile(path=path, embedded=embedded) if path.exists():
            _require_writable(path.parent, embedded=embedded)
        case SqliteFile() | PostgresServer():
            pass
        case _:
            assert_never(location)
    return migrations.check(_impatient(url_of(location)))


def current_revision(location: StoreLocation) -> str | None:
    """The revision of the database, be it known or not; None where there is nothing yet."""
    return migrations.current(_impatient(url_of(location)))


def migrate(location: StoreLocation) -> SchemaFits | SchemaBehind:
    """Bring the database to the schema of this version, and answer how it stood before.

    A file's folder is made where it is the embedded one.

    Raises `SettingsError` for a folder that cannot be used, `StoreUnavailable` and `SchemaFromTheFuture`.
    """
    match location:
        case SqliteFile(path=path, embedded=embedded):
            _prepare(path.parent, make=embedded)
        case PostgresServer():
            pass
        case _:
            assert_never(location)
    return migrations.migrate(_impatient(url_of(location)))


def bring_up_to_date(settings: Settings) -> None:
    """What a host does at its start, as DATABASE__MIGRATE says: migrate, only look, or neither.

    Raises what `migrate` raises, and `SettingsError` where it may only look and there is something to do.
    """
    location = store_location(settings)
    match settings.database.migrate:
        case Migrate.AUTO:
            migrate(location)
        case Migrate.CHECK if not isinstance(schema_state(location), SchemaFits):
            raise SettingsError(
                ["DATABASE__MIGRATE=check: the database has to be migrated first: run 'anichron db migrate'"]
            )
        case Migrate.CHECK | Migrate.OFF:
            pass


def _prepare(folder: Path, *, make: bool) -> None:
    try:
        if make:
            folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    except OSError as error:
        raise _unfit(folder, f"cannot be made: {(error.strerror or '').lower()}", embedded=make) from None
    if not folder.is_dir():
        raise _unfit(folder, "does not exist; make it, or name another", embedded=make)
    _require_writable(folder, embedded=make)


def _require_writable(folder: Path, *, embedded: bool) -> None:
    """SQLite writes beside its file even to read it."""
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unfit(folder, "cannot be written; allow it, or name another", embedded=embedded)


def _unfit(folder: Path, why: str, *, embedded: bool) -> SettingsError:
    variable = "ANICHRON_DATA" if embedded else "DATABASE_URL"
    return SettingsError([f"{variable}: the folder {folder} {why}"])


def _impatient(url: str) -> str:
    """The address, with a bound for how long a server may take to answer the call."""
    parsed = sa.make_url(url)
    if parsed.get_backend_name() != "postgresql" or TIMEOUT in parsed.query:
        return url
    return parsed.update_query_dict({TIMEOUT: CONNECT_SECONDS}).render_as_string(hide_password=False)
