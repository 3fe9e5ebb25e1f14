"""`anichron config check`."""

import rich_click as click

from entrypoints.commands.opening import read_settings
from entrypoints.commands.output import say
from entrypoints.settings.stores import described, is_embedded, store_location


@click.command("check")
def command() -> None:
    """Say everything that is wrong with the settings, a line each, and leave with code 78 if anything is."""
    settings = read_settings().settings
    if settings.jwt.secret is None and not is_embedded(settings):
        say("anichron: warning: JWT__SECRET is not set: 'anichron api' and 'anichron tokens' need it")
    say(f"The settings are fine. The database is: {described(store_location(settings))}.")
