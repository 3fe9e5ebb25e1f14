"""`anichron deletions`."""

import rich_click as click

from entrypoints.commands.deferred import DeferredGroup


@click.group(
    "deletions",
    cls=DeferredGroup,
    package=__package__,
    deferred={
        "start": "Delete files that a finished sweep has found.",
    },
)
def command() -> None:
    """Delete files that a sweep has found."""
