"""`anichron db current`."""

import rich_click as click

from entrypoints.commands.exits import CommandError
from entrypoints.commands.opening import read_settings
from entrypoints.settings.stores import described, store_location
from entrypoints.wiring.schema import current_revision, schema_state


@click.command("current")
def command() -> None:
    """Print the revision of the database; exit code 5 when a newer version has migrated it."""
    location = store_location(read_settings().settings)
    revision = current_revision(location)
    if revision is None:
        raise CommandError(f"there is no database yet ({described(location)})")
    click.echo(revision)
    schema_state(location)
