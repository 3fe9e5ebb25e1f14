"""`anichron up`."""

import asyncio
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import rich_click as click

from application.ports.errors import PortError
from domain.work_item import WorkItem
from entrypoints.all_in_one import Children, Ended
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.first_steps import FirstSteps, take_first_steps
from entrypoints.commands.folders import PhotoFolder, require_fit
from entrypoints.commands.following import follow, outcome_code
from entrypoints.commands.item_words import line
from entrypoints.commands.opening import read_settings
from entrypoints.commands.output import say
from entrypoints.commands.pointers import point_on
from entrypoints.commands.root import PROGRAM
from entrypoints.commands.stage import Stage, stage
from entrypoints.listening import CannotListen, listening_socket
from entrypoints.settings.loading import Loaded
from entrypoints.settings.model import ApiSettings
from entrypoints.settings.signing import signing_secret
from entrypoints.settings.stores import described, store_location
from entrypoints.wiring.desk import Desk
from entrypoints.wiring.schema import bring_up_to_date
from entrypoints.wiring.stores import closed

ALL_USERS = "WORKER__USER"


@click.command("up")
@click.option("--photos", type=PhotoFolder(), help="Photo folder to crawl; nothing in it is ever changed.")
@click.option(
    "--once", is_flag=True, help="Crawl, then leave (exit code 0 succeeded, 10 failed, 11 cancelled)."
)
@click.pass_context
def command(ctx: click.Context, photos: Path | None, *, once: bool) -> None:
    """Crawl a photo folder and serve it: database, API and worker in one go.

    Without further settings everything lives in one folder (ANICHRON_DATA), on SQLite. The first account is
    made where there is none; no password opens it, tokens speak for it.

    \b
    Examples:
      anichron up --photos ~/Pictures
      anichron up --photos ~/Pictures --once
    """  # noqa: D301 -- \b keeps click from filling the lines
    if once and photos is None:
        raise click.UsageError("--once needs --photos.")
    loaded = read_settings()
    if photos is not None:
        require_fit(photos, loaded)
    if not once:
        # An API that could not start would take the worker with it, in the middle of what that has claimed.
        _require_free(loaded.settings.api)
    bring_up_to_date(loaded.settings)
    if not once:
        signing_secret(loaded.settings)
    ctx.exit(asyncio.run(_up(loaded, photos, once=once)))


def _require_free(api: ApiSettings) -> None:
    try:
        listening_socket(api.host, api.port).close()
    except CannotListen as error:
        raise CommandError(str(error), ExitCode.UNAVAILABLE) from error


async def _up(loaded: Loaded, photos: Path | None, *, once: bool) -> int:
    desk = Desk(settings=loaded.settings, name="anichron-up")
    try:
        steps = await take_first_steps(desk, photos)
        with stage() as on:
            children = Children(_environ(loaded, on), on.relay, grace=loaded.settings.worker.shutdown_grace)
            children.catch_signals()
            try:
                return await (_crawl_once if once else _serve)(desk, loaded, steps, children, on)
            finally:
                await children.leave()
    finally:
        await closed(desk.stores())


async def _serve(desk: Desk, loaded: Loaded, steps: FirstSteps, children: Children, on: Stage) -> int:
    await children.start("API", "api")
    await children.start("worker", "worker")
    _tell_where_to_look(loaded, steps)
    ended = asyncio.create_task(children.first_end())
    following = asyncio.create_task(_look_on(desk, steps, on))
    leaving = asyncio.create_task(children.asked_to_leave())
    try:
        await asyncio.wait([ended, leaving], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (following, leaving):
            task.cancel()
    if children.is_leaving:
        ended.cancel()
        say("Leaving.")
        return ExitCode.OK
    raise _end_of(ended.result())


async def _crawl_once(desk: Desk, _: Loaded, steps: FirstSteps, children: Children, on: Stage) -> int:
    worker = await children.start("worker", "worker", "--once")
    following = asyncio.create_task(_follow(desk, steps, on))
    leaving = asyncio.create_task(children.asked_to_leave())
    worked = asyncio.create_task(worker.ended())
    await asyncio.wait([worked, leaving], return_when=asyncio.FIRST_COMPLETED)
    if not children.is_leaving and worked.result().code == 0:
        # Another worker may have the crawl: it is followed to its end all the same.
        await asyncio.wait([following, leaving], return_when=asyncio.FIRST_COMPLETED)
    for task in (worked, leaving):
        task.cancel()
    if following.done() and (item := following.result()) is not None:
        return outcome_code(item)
    following.cancel()
    if children.is_leaving:
        return ExitCode.INTERRUPTED
    raise _end_of(worked.result())


async def _look_on(desk: Desk, steps: FirstSteps, on: Stage) -> None:
    """Follow the crawl as long as that can be done: whatever happens to the picture, the install goes on."""
    try:
        await _follow(desk, steps, on)
    except (PortError, CommandError) as error:
        say(f"The crawl is not followed any more: {error}")


async def _follow(desk: Desk, steps: FirstSteps, on: Stage) -> WorkItem | None:
    if steps.crawl is None:
        return None
    with on.teller() as tell:
        item = await follow(desk, steps.crawl, tell)
    say(f"Crawl ended: {line(item)}")
    await point_on(desk, item, program=_program())
    return item


def _end_of(child: Ended) -> CommandError:
    known = {ExitCode.ERROR, ExitCode.VERSION, ExitCode.UNAVAILABLE, ExitCode.CONFIG}
    code = ExitCode(child.code) if child.code in known else ExitCode.ERROR
    # What ends with a code has said itself what is wrong; what was killed could not.
    how, rest = (
        (f"code {child.code}", "")
        if child.code >= 0
        else (f"signal {-child.code}", "; nothing is lost: start it again")
    )
    return CommandError(f"the {child.name} has ended with {how}, so everything ends{rest}", code)


def _environ(loaded: Loaded, on: Stage) -> Mapping[str, str]:
    """What the children are told: as this process was, but for the worker that serves everybody."""
    own = {ALL_USERS, f"{ALL_USERS}_FILE"}
    kept = {name: value for name, value in os.environ.items() if name.upper() not in own}
    if on.relay is not None:
        quiet = {"LOG__LEVEL": "warning", "LOG__FORMAT": "text"}
        kept |= {name: value for name, value in quiet.items() if name not in loaded.given}
    return kept


def _tell_where_to_look(loaded: Loaded, steps: FirstSteps) -> None:
    api, program = loaded.settings.api, _program()
    host = f"[{api.host}]" if ":" in api.host else api.host
    address = f"http://{host}:{api.port}"
    facts = {
        "Photos": None if steps.photos is None else str(steps.photos),
        "Database": described(store_location(loaded.settings)),
        "Page": f"{address}/",
        "Password": f"{program} users reset-password {steps.user.name} --generate",
        "API": f"{address}/api/v1/admin/work-items",
        "Watch": f"{program} items watch",
        "Token": f"{program} tokens create {steps.user.name}",
        "Stop": "Ctrl-C",
    }
    for name, fact in facts.items():
        if fact is not None:
            say(f"{name:<10}{fact}")


def _program() -> str:
    """What to type for this program, so that the lines can be pasted: in a checkout it is not on the path."""
    called = Path(sys.argv[0])
    if called.name != PROGRAM or shutil.which(PROGRAM) is not None:
        return PROGRAM
    return os.path.relpath(called)
