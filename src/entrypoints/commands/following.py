"""Following work to its end: live on a terminal, a line for each change elsewhere."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Final, Protocol

import rich_click as click
from rich.console import Console

from adapters.web.views.instants import instant
from adapters.web.views.work_items import Limits, work_item_view
from application.overview import Overview
from domain.ids import WorkItemId
from domain.outlook import WaitReason
from domain.work_item import TERMINAL, Status, WorkItem
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.item_words import line, waiting_words
from entrypoints.commands.live import LiveItems
from entrypoints.commands.output import say, show_line
from entrypoints.wiring.desk import Desk

PACE: Final = timedelta(seconds=0.5)
"""How often a command that follows looks again."""

OUTCOME_CODES: Final = {
    Status.SUCCEEDED: ExitCode.OK,
    Status.FAILED: ExitCode.ITEM_FAILED,
    Status.CANCELLED: ExitCode.ITEM_CANCELLED,
}


class Teller(Protocol):
    """Shows changes as they come."""

    async def tell(self, items: Sequence[WorkItem]) -> None:
        """Show these items as they stand now; none at all means that time has passed."""
        ...


class LineTeller:
    """One line for each change."""

    def __init__(self, *, err: bool = False) -> None:
        """Take where to: standard error, where there is other data than this."""
        self._err = err

    async def tell(self, items: Sequence[WorkItem]) -> None:
        """Print them at once."""
        for item in items:
            click.echo(f"{instant(item.updated_at)}  {line(item)}", err=self._err)


class JsonTeller:
    """One JSON object for each change."""

    def __init__(self, limits: Limits, overview: Overview) -> None:
        """Take what the view needs."""
        self._limits = limits
        self._overview = overview

    async def tell(self, items: Sequence[WorkItem]) -> None:
        """Print them, each that waits with why."""
        waits = any(item.status is Status.QUEUED for item in items)
        outlook = await self._overview.outlook() if waits else None
        for item in items:
            show_line(work_item_view(item, self._limits, outlook))


class WarningTeller:
    """Tells as another does, and says once that no worker serves what waits: else that would wait in silence."""

    def __init__(self, tell: Teller, overview: Overview) -> None:
        """Take who shows the changes."""
        self._tell = tell
        self._overview = overview
        self._has_warned = False

    async def tell(self, items: Sequence[WorkItem]) -> None:
        """Show them, then warn where that is due."""
        await self._tell.tell(items)
        if self._has_warned or all(item.status is not Status.QUEUED for item in items):
            return
        outlook = await self._overview.outlook()
        if WaitReason.NO_WORKER in map(outlook.reason, items):
            self._warn()

    def _warn(self) -> None:
        # Items may be followed side by side: another may have warned meanwhile.
        if not self._has_warned:
            self._has_warned = True
            say(waiting_words(WaitReason.NO_WORKER))


@contextmanager
def teller(desk: Desk, *, as_json: bool) -> Iterator[Teller]:
    """Whatever suits who is looking."""
    if as_json:
        yield JsonTeller(desk.limits(), desk.overview())
        return
    console = Console()
    if not console.is_terminal:
        yield LineTeller()
        return
    with LiveItems(console) as live:
        yield live


@contextmanager
def waiting_teller(desk: Desk, *, as_json: bool) -> Iterator[Teller]:
    """The same for who has just asked for work and waits for it: warns where no worker serves it."""
    with teller(desk, as_json=as_json) as tell:
        yield WarningTeller(tell, desk.overview())


async def follow(desk: Desk, item: WorkItemId, tell: Teller) -> WorkItem:
    """Tell every change of the item until it has finished; how it then stands."""
    async for seen in desk.watch().item(item, every=PACE):
        await tell.tell((seen,))
        if seen.status in TERMINAL:
            return seen
    raise CommandError(f"work item {item} is gone", ExitCode.NOT_FOUND)


def worst_outcome(items: Iterable[WorkItem]) -> ExitCode:
    """What a script is told of several: that one failed, else that one was cancelled."""
    codes = {outcome_code(item) for item in items}
    return next(
        (code for code in (ExitCode.ITEM_FAILED, ExitCode.ITEM_CANCELLED) if code in codes), ExitCode.OK
    )


def outcome_code(item: WorkItem) -> ExitCode:
    """What a script is told of how a finished item ended."""
    return OUTCOME_CODES[item.status]
