"""Following work to its end: live on a terminal, a line for each change elsewhere."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Final, Protocol

import rich_click as click
from rich.console import Console

from adapters.web.views.instants import instant
from adapters.web.views.work_items import Limits, work_item_view
from domain.ids import WorkItemId
from domain.work_item import TERMINAL, Status, WorkItem
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.item_words import line
from entrypoints.commands.live import LiveItems
from entrypoints.commands.output import show_line
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

    def tell(self, items: Sequence[WorkItem]) -> None:
        """Show these items as they stand now; none at all means that time has passed."""
        ...


class LineTeller:
    """One line for each change."""

    def __init__(self, *, err: bool = False) -> None:
        """Take where to: standard error, where there is other data than this."""
        self._err = err

    def tell(self, items: Sequence[WorkItem]) -> None:
        """Print them at once."""
        for item in items:
            click.echo(f"{instant(item.updated_at)}  {line(item)}", err=self._err)


class JsonTeller:
    """One JSON object for each change."""

    def __init__(self, limits: Limits) -> None:
        """Take what the view needs."""
        self._limits = limits

    def tell(self, items: Sequence[WorkItem]) -> None:
        """Print them at once."""
        for item in items:
            show_line(work_item_view(item, self._limits))


@contextmanager
def teller(desk: Desk, *, as_json: bool) -> Iterator[Teller]:
    """Whatever suits who is looking."""
    if as_json:
        yield JsonTeller(desk.limits())
        return
    console = Console()
    if not console.is_terminal:
        yield LineTeller()
        return
    with LiveItems(console) as live:
        yield live


async def follow(desk: Desk, item: WorkItemId, tell: Teller) -> WorkItem:
    """Tell every change of the item until it has finished; how it then stands."""
    async for seen in desk.watch().item(item, every=PACE):
        tell.tell((seen,))
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
