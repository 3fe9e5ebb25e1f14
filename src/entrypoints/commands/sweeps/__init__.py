"""`anichron sweeps`."""

import rich_click as click

from entrypoints.commands.deferred import DeferredGroup


@click.group(
    "sweeps",
    cls=DeferredGroup,
    package=__package__,
    deferred={
        "start": "Ask for a sweep of the proxies folder.",
        "orphans": "List what a finished sweep has found.",
    },
)
def command() -> None:
    """Look for proxies that no photo has, and for photos whose proxy is gone."""
