"""`anichron configs remove`."""

from typing import assert_never

import rich_click as click

from application.ports.storage_configs import NoSuchConfig, Removed
from entrypoints.commands.asking import confirmed
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.finding import found_config
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import yes_option
from entrypoints.commands.output import say
from entrypoints.wiring.desk import Desk


@click.command("remove")
@click.argument("config", metavar="ID")
@yes_option
def command(config: str, *, yes: bool) -> None:
    """Remove a photo folder with everything known of it: its assets and its work items.

    The photos themselves are never touched. ID may be shortened to a unique beginning, or be the folder.

    \b
    Example:
      anichron configs remove 0192f3c8 --yes
    """  # noqa: D301 -- \b keeps click from filling the lines
    loaded = read_settings()
    found = at_desk(loaded, lambda desk: found_config(desk, config))
    # Asked between two visits: within one, Ctrl-C would only be heard after the answer.
    if not confirmed(f"Remove {found.root_path} and all that is known of it? The photos stay.", yes=yes):
        say("Nothing was removed.")
        return

    async def remove(desk: Desk) -> None:
        match await desk.configs().remove(found.id):
            case Removed(items=items):
                say(
                    f"Removed {found.root_path} and its work items ({items}); its photos are where they were."
                )
            case NoSuchConfig():
                raise CommandError(f"photo folder {found.id} is gone already", ExitCode.NOT_FOUND)
            case answer:
                assert_never(answer)

    at_desk(loaded, remove)
