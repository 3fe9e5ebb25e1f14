"""Work items on a terminal, repainted as they change."""

from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from domain.ids import WorkItemId
from domain.work_item import TERMINAL, Running, WorkItem
from entrypoints.commands.item_rows import OUTCOME
from entrypoints.commands.item_words import id_length, outcome, status_text
from entrypoints.commands.output import safe

KEPT: Final = 8
"""How many finished items stay in view."""

REPAINTS_A_SECOND: Final = 8
BAR_WIDTH: Final = 16


class LiveItems:
    """What waits and runs in the order in which it came into view, and what has finished lately."""

    def __init__(self, console: Console) -> None:
        """Take the terminal."""
        self._items: OrderedDict[WorkItemId, WorkItem] = OrderedDict()
        self._live = Live(console=console, refresh_per_second=REPAINTS_A_SECOND, get_renderable=self._table)

    def __enter__(self) -> Self:
        """Begin to paint."""
        self._live.start(refresh=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the last picture where it is."""
        self._live.stop()

    @property
    def console(self) -> Console:
        """Where others may print meanwhile: above the picture."""
        return self._live.console

    async def tell(self, items: Sequence[WorkItem]) -> None:
        """Take the items into the picture."""
        self._items.update((item.id, item) for item in items)
        finished = [id_ for id_, item in self._items.items() if item.status in TERMINAL]
        for id_ in finished[:-KEPT]:
            del self._items[id_]

    def _table(self) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for column in ("Id", "Kind", "Status", ""):
            table.add_column(column, no_wrap=True)
        table.add_column(OUTCOME, overflow="fold")
        length = id_length(self._items)
        for item in self._items.values():
            words = safe(outcome(item))
            table.add_row(str(item.id)[:length], safe(item.kind), status_text(item), _bar(item), words)
        if not self._items:
            table.add_row("", "", "", "", "Nothing waits and nothing runs.")
        return table


def _bar(item: WorkItem) -> RenderableType:
    """How far a running item is; where the total is unknown, only that it runs."""
    if not isinstance(item.state, Running):
        return Text()
    progress = item.state.progress
    if progress.total is None:
        return ProgressBar(width=BAR_WIDTH, pulse=True, animation_time=datetime.now(UTC).timestamp())
    return ProgressBar(total=max(progress.total, 1), completed=progress.done, width=BAR_WIDTH)
