"""`anichron config`."""

import rich_click as click

from entrypoints.commands.deferred import DeferredGroup


@click.group(
    "config",
    cls=DeferredGroup,
    package=__package__,
    deferred={
        "show": "Show every setting, and where it came from.",
        "check": "Say everything that is wrong with the settings.",
    },
)
def command() -> None:
    """Show and check the settings."""
