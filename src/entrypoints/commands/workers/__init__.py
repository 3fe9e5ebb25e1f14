"""`anichron workers`."""

import rich_click as click

from entrypoints.commands.deferred import DeferredGroup


@click.group(
    "workers",
    cls=DeferredGroup,
    package=__package__,
    deferred={
        "list": "List the workers that were heard of lately.",
    },
)
def command() -> None:
    """See who is working."""
