"""`anichron db`."""

import rich_click as click

from entrypoints.commands.deferred import DeferredGroup


@click.group(
    "db",
    cls=DeferredGroup,
    package=__package__,
    deferred={
        "migrate": "Bring the database to the schema of this version.",
        "current": "Print the revision of the database.",
        "backup": "Copy a SQLite database while it is in use.",
    },
)
def command() -> None:
    """Migrate and back up the database."""
