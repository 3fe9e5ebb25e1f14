"""`anichron db current`."""

from typing import assert_never

import rich_click as click

from adapters.sql.migrations import Behind, UpToDate
from entrypoints.commands.exits import CommandError
from entrypoints.commands.opening import read_settings
from entrypoints.settings.stores import described, store_location
from entrypoints.wiring.schema import NoDatabase, schema_state


@click.command("current")
def command() -> None:
    """Print the revision of the database."""
    location = store_location(read_settings().settings)
    match schema_state(location):
        case UpToDate(revision=revision) | Behind(revision=revision):
            click.echo(revision)
        case NoDatabase():
            raise CommandError(f"there is no database yet ({described(location)})")
        case state:
            assert_never(state)
