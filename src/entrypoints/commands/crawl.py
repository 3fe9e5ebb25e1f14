"""`anichron crawl`."""

from typing import assert_never

import rich_click as click

from domain.ids import WorkItemId
from domain.outcomes import Coalesced, Created, UnknownScope
from entrypoints.commands.documents import RequestedView
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.finding import found_config
from entrypoints.commands.following import follow, outcome_code, waiting_teller
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option, wait_option
from entrypoints.commands.output import show_document
from entrypoints.commands.pointers import point_on
from entrypoints.wiring.desk import Desk


@click.command("crawl")
@click.argument("config", metavar="CONFIG")
@click.option(
    "--verify", is_flag=True, help="Read every file again, changed or not, and make lost proxies anew."
)
@click.option(
    "--accept-removals", is_flag=True, help="Believe that however many files are gone were meant to go."
)
@wait_option
@json_option
@click.pass_context
def command(  # noqa: PLR0913 -- one argument an option
    ctx: click.Context, config: str, *, verify: bool, accept_removals: bool, wait: bool, as_json: bool
) -> None:
    """Ask for a crawl of the photo folder CONFIG: its id, a unique beginning of it, or the folder itself.

    Prints the id of the work item. A worker that serves the folder takes it within one poll. It is asked for in the
    name of the folder's owner: the command line knows of nobody else, and what nobody asked for is the schedule's.

    A crawl that misses more than 20 files and more than a tenth of all, or everything, touches none of them and
    fails (root-suspicious, root-empty): a disk may be away. If they were meant to go, say --accept-removals.

    \b
    Examples:
      anichron crawl 0192f3c8 --wait
      anichron crawl /data/originals/ada --verify
    """  # noqa: D301 -- \b keeps click from filling the lines

    async def crawl(desk: Desk) -> ExitCode:
        item = await _requested(desk, config, verify=verify, accept_removals=accept_removals)
        if not wait:
            if as_json:
                show_document(RequestedView(str(item), coalesced=False))
            else:
                click.echo(item)
            return ExitCode.OK
        with waiting_teller(desk, as_json=as_json) as tell:
            ended = await follow(desk, item, tell)
        if not as_json:
            await point_on(desk, ended)
        return outcome_code(ended)

    ctx.exit(at_desk(read_settings(), crawl))


async def _requested(desk: Desk, text: str, *, verify: bool, accept_removals: bool) -> WorkItemId:
    config = await found_config(desk, text)
    match await desk.configs().crawl(
        config.id, verify=verify, accept_removals=accept_removals, by=config.user_id
    ):
        case Created(id=item) | Coalesced(id=item):
            return item
        case UnknownScope():
            raise CommandError(f"photo folder {config.id} has just been removed", ExitCode.NOT_FOUND)
        case answer:
            assert_never(answer)
