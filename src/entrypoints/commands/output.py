"""What commands print: data on stdout, everything else on stderr."""

from collections.abc import Iterable, Sequence

import msgspec
import rich_click as click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain.text import one_line

LONGEST_CELL = 400
UNLIMITED = 10_000
WIDE = 120

Cell = str | Text


def say(line: str) -> None:
    """Tell the person, not the program that reads the data."""
    click.echo(line, err=True)


def show_document(view: object) -> None:
    """One JSON document for people and programs alike."""
    click.echo(msgspec.json.format(msgspec.json.encode(view), indent=2))


def show_line(view: object) -> None:
    """One JSON object on a line of its own, at once."""
    click.echo(msgspec.json.encode(view))


def show_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    wraps: str | None = None,
    only_wide: int = 0,
    header: bool = True,
) -> None:
    """A table that fits the terminal; where there is none, one line a row and nothing cut off.

    `wraps`: the column that gets what room the others leave, over several lines. `only_wide`: how many of
    the last columns are left out on a terminal that is not wide. `header`: not for what follows on a table.
    """
    console = Console()
    shown = len(columns)
    if console.is_terminal and console.width < WIDE:
        shown -= only_wide
    table = Table(
        box=None,
        show_header=header and any(columns),
        pad_edge=False,
        padding=(0, 2, 0, 0),
        header_style="bold",
    )
    for column in columns[:shown]:
        table.add_column(column, no_wrap=column != wraps, overflow="fold")
    for row in rows:
        table.add_row(*(safe(cell) for cell in row[:shown]))
    if console.is_terminal:
        console.print(table)
    else:
        _print_lines(table)


def safe(cell: Cell) -> Text:
    """The cell as a terminal can bear it: no markup, no control characters, whatever a row holds."""
    if isinstance(cell, Text):
        return cell
    return Text(one_line(cell, longest=LONGEST_CELL))


def _print_lines(table: Table) -> None:
    console = Console(width=UNLIMITED, highlight=False)
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        click.echo(line.rstrip())
