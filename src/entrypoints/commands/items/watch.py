"""`anichron items watch`."""

import rich_click as click

from domain.ids import WorkItemId
from domain.work_item import TERMINAL
from entrypoints.commands.exits import ExitCode
from entrypoints.commands.finding import found_item
from entrypoints.commands.following import PACE, follow, outcome_code, teller
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.pointers import point_on
from entrypoints.wiring.desk import Desk


@click.command("watch")
@click.argument("item", metavar="[ID]", required=False)
@click.option(
    "--until-finished",
    is_flag=True,
    help="Leave when the item has finished (exit code 0 succeeded, 10 failed, 11 cancelled), "
    "or without ID when nothing waits or runs.",
)
@json_option
@click.pass_context
def command(ctx: click.Context, item: str | None, *, until_finished: bool, as_json: bool) -> None:
    """Follow work items live: all of them, or the one whose id begins with ID.

    On a terminal the picture is repainted; elsewhere each change is one line.

    \b
    Examples:
      anichron items watch
      anichron items watch 0192f3c8-6d1e --until-finished && echo done
    """  # noqa: D301 -- \b keeps click from filling the lines

    async def watch(desk: Desk) -> ExitCode:
        if item is None:
            await _watch_all(desk, until_finished=until_finished, as_json=as_json)
            return ExitCode.OK
        found = await found_item(desk, item)
        with teller(desk, as_json=as_json) as tell:
            end = await follow(desk, found.id, tell)
        if not as_json:
            await point_on(desk, end)
        return outcome_code(end) if until_finished else ExitCode.OK

    ctx.exit(at_desk(read_settings(), watch))


async def _watch_all(desk: Desk, *, until_finished: bool, as_json: bool) -> None:
    active: set[WorkItemId] = set()
    with teller(desk, as_json=as_json) as tell:
        async for look in desk.watch().changes(every=PACE):
            await tell.tell(look.items)
            active |= {item.id for item in look.items}
            active -= {item.id for item in look.items if item.status in TERMINAL}
            active.difference_update(look.removed)
            if until_finished and not active:
                return
