"""`anichron db backup`."""

from pathlib import Path

import rich_click as click

from adapters.sql.backup import copy_sqlite
from entrypoints.commands.asking import confirmed
from entrypoints.commands.exits import CommandError
from entrypoints.commands.opening import read_settings
from entrypoints.commands.options import yes_option
from entrypoints.commands.output import say
from entrypoints.settings.stores import SqliteFile, described, store_location


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@yes_option
def command(file: Path, *, yes: bool) -> None:
    """Copy a SQLite database to FILE, whole and consistent, while it is in use.

    Proxies need no backup: they are made again. For PostgreSQL use pg_dump. Before you go back to a copy, stop
    every worker and API: one that lived through it could write to runs that are not its own.

    \b
    Example:
      anichron db backup /backups/anichron.db
    """  # noqa: D301 -- \b keeps click from filling the lines
    location = store_location(read_settings().settings)
    if not isinstance(location, SqliteFile):
        raise CommandError(
            f"this copies SQLite files only, and the database is {described(location)}: use pg_dump"
        )
    if not location.path.exists():
        raise CommandError(f"there is no database yet ({described(location)})")
    if file.exists() and not confirmed(f"Replace {file}?", yes=yes):
        say("Nothing was copied.")
        return
    copy_sqlite(location.path, file)
    say(f"Copied {described(location)} to {file}.")
