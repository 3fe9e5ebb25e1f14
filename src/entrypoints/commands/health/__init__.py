"""`anichron health`."""

import rich_click as click

from entrypoints.commands.deferred import DeferredGroup


@click.group(
    "health",
    cls=DeferredGroup,
    package=__package__,
    deferred={
        "api": "Ask the API of this host how it is.",
        "worker": "Look for a worker of this host.",
    },
)
def command() -> None:
    """Tell a container's runtime whether it is well."""
