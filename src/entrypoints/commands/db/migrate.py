"""`anichron db migrate`."""

from typing import assert_never

import rich_click as click

from application.ports.store_schema import SchemaBehind, SchemaFits
from entrypoints.commands.exits import CommandError
from entrypoints.commands.opening import read_settings
from entrypoints.commands.output import say
from entrypoints.settings.stores import StoreLocation, described, store_location
from entrypoints.wiring.schema import migrate, schema_state


@click.command("migrate")
@click.option("--check", is_flag=True, help="Change nothing; exit code 1 when there is something to do.")
def command(*, check: bool) -> None:
    """Bring the database to the schema of this version; several at once are safe.

    A database that a newer version has migrated is refused with exit code 5.

    \b
    Example:
      anichron db migrate --check || anichron db migrate
    """  # noqa: D301 -- \b keeps click from filling the lines
    location = store_location(read_settings().settings)
    if check:
        _check(location)
    else:
        say(f"{_done(migrate(location))}: {described(location)}.")


def _done(before: SchemaFits | SchemaBehind) -> str:
    match before:
        case SchemaFits(revision=revision):
            return f"There was nothing to do: the database is at revision {revision}"
        case SchemaBehind(revision=None, newest=newest):
            return f"The tables were made, at revision {newest}"
        case SchemaBehind(revision=revision, newest=newest):
            return f"The database was migrated from revision {revision} to {newest}"
        case state:
            assert_never(state)


def _check(location: StoreLocation) -> None:
    match schema_state(location):
        case SchemaFits(revision=revision):
            say(f"The database is up to date, at revision {revision}.")
        case SchemaBehind(revision=None):
            raise CommandError(f"there is no database yet ({described(location)})")
        case SchemaBehind(revision=revision, newest=newest):
            raise CommandError(f"the database is at revision {revision}, and this version needs {newest}")
        case state:
            assert_never(state)
