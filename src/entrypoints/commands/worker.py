"""`anichron worker`."""

import rich_click as click

from adapters.telemetry.logs import set_up_logs
from entrypoints.commands.lifeline import leave_with_parent_option
from entrypoints.commands.opening import read_settings
from entrypoints.wiring.worker import WorkerParts
from entrypoints.worker import run_worker


@click.command("worker")
@click.option("--once", is_flag=True, help="Work off what is ready, then leave.")
@click.option("--max-items", type=click.IntRange(1), help="Leave after this many items.")
@leave_with_parent_option
def command(*, once: bool, max_items: int | None) -> None:
    """Work off the queue: everybody's items, or those of WORKER__USER.

    It leaves in good order on SIGTERM or Ctrl-C, within WORKER__SHUTDOWN_GRACE_SECONDS, and hands back what
    it has not finished. A second signal leaves the work no time, a third not even for that.

    \b
    Examples:
      anichron worker
      WORKER__USER=ada anichron worker --once
    """  # noqa: D301 -- \b keeps click from filling the lines
    settings = read_settings().settings
    set_up_logs(level=settings.log.level.value, as_json=settings.log.as_json)
    run_worker(WorkerParts(settings=settings, once=once, max_items=max_items))
