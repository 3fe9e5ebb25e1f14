"""`anichron tokens`."""

import rich_click as click

from entrypoints.commands.deferred import DeferredGroup


@click.group(
    "tokens",
    cls=DeferredGroup,
    package=__package__,
    deferred={
        "create": "Make a bearer token; it is shown once.",
    },
)
def command() -> None:
    """Make bearer tokens for scripts."""
