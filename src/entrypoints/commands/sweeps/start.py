"""`anichron sweeps start`."""

from typing import assert_never

import rich_click as click

from application.asking import Accepted, InactiveScope, RequestedWork, WaitsAlready
from domain.kinds.proxy_sweep import DEDUP_KEY, ProxySweepPayload
from domain.outcomes import UnknownScope
from entrypoints.commands.documents import RequestedView
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.following import follow, outcome_code, waiting_teller
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option, wait_option
from entrypoints.commands.output import say, show_document
from entrypoints.commands.pointers import point_on
from entrypoints.wiring.desk import Desk


@click.command("start")
@wait_option
@json_option
@click.pass_context
def command(ctx: click.Context, *, wait: bool, as_json: bool) -> None:
    """Ask for a sweep: which files of the proxies folder no photo has, and which photos have lost theirs.

    Prints the id of the work item. Where a sweep waits already, that is the one. It deletes nothing, and leaves
    aside files that are less than an hour old. Whichever worker takes it looks at its own proxies folder: all share one.

    The command line has no account, so the item says of nobody that they asked for it. The page calls that the
    schedule, though that never asks for sweeps.

    \b
    Examples:
      anichron sweeps start --wait
      sweep=$(anichron sweeps start)
    """  # noqa: D301 -- \b keeps click from filling the lines

    async def start(desk: Desk) -> ExitCode:
        answer = await _asked(desk)
        is_waiting = isinstance(answer, WaitsAlready)
        if is_waiting and not as_json:
            say("A sweep waits already: it is that one.")
        if not wait:
            if as_json:
                show_document(RequestedView(str(answer.item.id), coalesced=is_waiting))
            else:
                click.echo(answer.item.id)
            return ExitCode.OK
        with waiting_teller(desk, as_json=as_json) as tell:
            ended = await follow(desk, answer.item.id, tell)
        if not as_json:
            await point_on(desk, ended)
        return outcome_code(ended)

    ctx.exit(at_desk(read_settings(), start))


async def _asked(desk: Desk) -> Accepted | WaitsAlready:
    match await desk.asking().ask(RequestedWork(payload=ProxySweepPayload(), dedup_key=DEDUP_KEY), by=None):
        case (Accepted() | WaitsAlready()) as answer:
            return answer
        case UnknownScope() | InactiveScope():
            raise CommandError("the sweep has gone at once: start another", ExitCode.CONFLICT)
        case answer:
            assert_never(answer)
