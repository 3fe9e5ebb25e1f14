"""What commands print: data on stdout, everything else on stderr."""

from collections.abc import Iterable, Sequence

import msgspec
import rich_click as click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain.text import clean_text

LONGEST_CELL = 400
UNLIMITED = 10_000

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


def show_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """A table that fits the terminal; where there is none, one line a row and nothing cut off."""
    console = Console()
    table = Table(
        *columns,
        box=SIMPLE_HEAD if console.is_terminal else None,
        show_header=any(columns),
        pad_edge=False,
        header_style="bold",
    )
    for row in rows:
        table.add_row(*(safe(cell) for cell in row))
    if console.is_terminal:
        console.print(table)
    else:
        _print_lines(table)


def safe(cell: Cell) -> Text:
    """The cell as a terminal can bear it: no markup, no control characters, whatever a row holds."""
    if isinstance(cell, Text):
        return cell
    return Text(clean_text(cell, longest=LONGEST_CELL).replace("\n", " ").replace("\t", " "))


def _print_lines(table: Table) -> None:
    console = Console(width=UNLIMITED, highlight=False)
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        click.echo(line.rstrip())
