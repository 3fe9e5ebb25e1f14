"""`anichron configs add`."""

from pathlib import Path
from typing import assert_never

import rich_click as click

from application.configs import ConfigAdded, FolderOverlaps, FolderRefused, FolderTaken, UnknownOwner
from entrypoints.commands.documents import AddedConfigView, config_view
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.finding import found_user
from entrypoints.commands.folders import PhotoFolder, require_fit
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import say, show_document
from entrypoints.wiring.desk import Desk


@click.command("add")
@click.argument("user", metavar="USER")
@click.argument("path", metavar="PATH", type=PhotoFolder())
@json_option
def command(user: str, path: Path, *, as_json: bool) -> None:
    """Add the photo folder PATH of USER (a name or e-mail address), and ask for its first crawl.

    Both happen in one step. A worker that serves the user takes the crawl within one poll.

    \b
    Example:
      anichron configs add ada /data/originals/ada
    """  # noqa: D301 -- \b keeps click from filling the lines
    loaded = read_settings()
    require_fit(path, loaded)

    async def add(desk: Desk) -> None:
        added = await _added(desk, user, path)
        if as_json:
            show_document(AddedConfigView(config=config_view(added.config), crawl_id=str(added.crawl)))
            return
        click.echo(added.config.id)
        say(f"Its first crawl is work item {added.crawl}.")

    at_desk(loaded, add)


async def _added(desk: Desk, user: str, path: Path) -> ConfigAdded:
    owner = await found_user(desk, user)
    match await desk.configs().add(user=owner.id, root_path=str(path)):
        case ConfigAdded() as added:
            return added
        case FolderTaken(config=config):
            raise CommandError(f"{path} is there already, as {config.id}", ExitCode.CONFLICT)
        case FolderOverlaps(config=config):
            raise CommandError(
                f"{path} cannot be added: another photo folder lies within it, or holds it ({config.id})",
                ExitCode.CONFLICT,
            )
        case UnknownOwner():
            raise CommandError(f"{user} has just been removed", ExitCode.NOT_FOUND)
        case FolderRefused(why=why):
            raise CommandError(f"{path} cannot be added: {why}", ExitCode.CONFLICT)
        case answer:
            assert_never(answer)
