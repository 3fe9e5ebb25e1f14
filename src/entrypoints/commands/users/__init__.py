"""`anichron users`."""

import rich_click as click

from entrypoints.commands.deferred import DeferredGroup


@click.group(
    "users",
    cls=DeferredGroup,
    package=__package__,
    deferred={
        "create-admin": "Add an account that may see everybody's work.",
        "list": "List accounts.",
    },
)
def command() -> None:
    """Add and list accounts."""
