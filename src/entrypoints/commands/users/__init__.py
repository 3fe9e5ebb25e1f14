"""`anichron users`."""

import rich_click as click

from entrypoints.commands.deferred import DeferredGroup


@click.group(
    "users",
    cls=DeferredGroup,
    package=__package__,
    deferred={
        "create-admin": "Add an account that may see everybody's work.",
        "create": "Add an account that sees nobody's work.",
        "list": "List accounts.",
        "reset-password": "Give somebody another password.",
        "grant-admin": "Make an admin of somebody.",
        "revoke-admin": "Take that back.",
        "disable": "Let nobody sign in to an account.",
        "enable": "Let somebody sign in again.",
        "end-sessions": "Sign somebody out everywhere.",
    },
)
def command() -> None:
    """Add accounts and look after them."""
