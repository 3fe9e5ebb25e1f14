"""Where more is to be read of work that has ended: its counts name no file, other commands do."""

from application.ports.media_library import Stretch
from application.sweeps import FindingsPage
from domain.kinds.kind import WorkKind
from domain.work_item import TERMINAL, WorkItem
from entrypoints.commands.output import say
from entrypoints.commands.root import PROGRAM
from entrypoints.wiring.desk import Desk


async def point_on(desk: Desk, item: WorkItem, *, program: str = PROGRAM) -> None:
    """Say which command tells more, where there is more. `program`: what is to be typed for this one."""
    if item.status not in TERMINAL:
        return
    if item.kind == WorkKind.CRAWL.row_name and item.storage_config_id is not None:
        if await desk.failures().known(item.storage_config_id, Stretch(), limit=1):
            say(f"What could not be taken in, and why: {program} failures {item.storage_config_id}")
    elif item.kind == WorkKind.PROXY_SWEEP.row_name and await _has_findings(desk, item):
        say(f"What it has found: {program} sweeps orphans {item.id}")


async def _has_findings(desk: Desk, sweep: WorkItem) -> bool:
    answer = await desk.sweeps().findings(sweep.id, limit=1)
    return isinstance(answer, FindingsPage) and bool(answer.findings)
