"""How a command comes by its settings and its database."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import TypeVar, assert_never

from application.ports.store_schema import SchemaBehind, SchemaFits
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.output import say
from entrypoints.settings.loading import Loaded, load
from entrypoints.settings.model import Migrate, Settings
from entrypoints.settings.stores import StoreLocation, described, store_location
from entrypoints.wiring.desk import Desk
from entrypoints.wiring.schema import migrate, schema_state
from entrypoints.wiring.stores import closed

T = TypeVar("T")


def read_settings() -> Loaded:
    """The settings of this process; what looks misspelled is told on stderr. Raises `SettingsError`."""
    loaded = load(os.environ)
    for warning in loaded.warnings:
        say(f"anichron: warning: {warning}")
    return loaded


def at_desk(loaded: Loaded, work: Callable[[Desk], Awaitable[T]], *, begins: bool = False) -> T:
    """Run the work over the database of this install.

    `begins`: this command may be the first of all, so a database without tables is given them. One that an
    older version made is left to the hosts and to `anichron db migrate`: nobody asked this command for it.
    """
    settings = loaded.settings
    _require_schema(settings, store_location(settings), begins=begins)
    return asyncio.run(_at_desk(settings, work))


async def _at_desk(settings: Settings, work: Callable[[Desk], Awaitable[T]]) -> T:
    desk = Desk(settings=settings, name="anichron-cli")
    try:
        return await work(desk)
    finally:
        await closed(desk.stores())


def _require_schema(settings: Settings, location: StoreLocation, *, begins: bool) -> None:
    match schema_state(location):
        case SchemaFits():
            return
        case SchemaBehind(revision=None) if begins and settings.database.migrate is Migrate.AUTO:
            migrate(location)
        case SchemaBehind(revision=None):
            raise CommandError(
                f"there is no database yet ({described(location)}): "
                "run 'anichron up --photos FOLDER', or 'anichron db migrate'"
            )
        case SchemaBehind(revision=revision, newest=newest):
            raise CommandError(
                f"the database is at revision {revision}, and this version needs {newest}: "
                "run 'anichron db migrate'",
                ExitCode.VERSION,
            )
        case state:
            assert_never(state)
