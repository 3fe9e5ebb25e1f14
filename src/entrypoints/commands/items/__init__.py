"""`anichron items`."""

import rich_click as click

from entrypoints.commands.deferred import DeferredGroup


@click.group(
    "items",
    cls=DeferredGroup,
    package=__package__,
    deferred={
        "list": "List work items, newest change first.",
        "show": "Show one work item with its history.",
        "watch": "Follow work items live.",
        "cancel": "Cancel a work item, or ask it to stop.",
    },
)
def command() -> None:
    """List, show, watch and cancel work items."""
