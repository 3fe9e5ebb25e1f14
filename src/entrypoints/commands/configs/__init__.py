"""`anichron configs`."""

import rich_click as click

from entrypoints.commands.deferred import DeferredGroup


@click.group(
    "configs",
    cls=DeferredGroup,
    package=__package__,
    deferred={
        "add": "Add a photo folder, and ask for its first crawl.",
        "list": "List photo folders.",
        "remove": "Remove a photo folder with everything known of it.",
    },
)
def command() -> None:
    """Add, list and remove photo folders."""
