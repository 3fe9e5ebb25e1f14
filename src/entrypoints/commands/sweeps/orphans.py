"""`anichron sweeps orphans`."""

from collections.abc import Sequence
from typing import Final

import msgspec
import rich_click as click
from rich.console import Console

from adapters.web.views.findings import finding_view
from adapters.web.views.instants import instant
from application.sweeps import FindingsPage
from domain.account import StorageConfig
from domain.media.proxy_finding import Finding, FindingKind
from domain.text import one_line
from domain.work_item import Status, WorkItem
from entrypoints.commands.documents import FindingsHead
from entrypoints.commands.finding import found_item
from entrypoints.commands.findings import Deletable, pages
from entrypoints.commands.item_words import id_length
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import LONGEST_CELL, say, show_table
from entrypoints.wiring.desk import Desk

COLUMNS: Final = ("Number", "What", "Path", "Bytes", "Modified", "Library")
ONLY_WIDE: Final = 2
UNKNOWN: Final = "-"
LONGEST_WHAT: Final = max(map(len, FindingKind))
WIDTH_OF_INSTANTS: Final = len("2026-11-29T14:03:10.120Z")
WIDTH_OF_SIZES: Final = len("9876543")


@click.command("orphans")
@click.argument("sweep", metavar="ID")
@click.option(
    "--what",
    "whats",
    multiple=True,
    type=click.Choice([kind.value for kind in FindingKind]),
    help="Only what is wrong in this way. May be given several times.",
)
@json_option
def command(sweep: str, *, whats: tuple[str, ...], as_json: bool) -> None:
    """List what the finished sweep ID has found. ID may be shortened to a unique beginning.

    An orphan-file is a proxy that no photo has, and a temporary-leftover one that was never finished: both can be
    deleted by 'anichron deletions'. Of a missing-file only the row is left: 'anichron crawl CONFIG --verify' makes it
    anew. Paths are those below the proxies folder. A sweep that has failed has no findings (exit code 4).

    \b
    Examples:
      anichron sweeps orphans 0192f3c8
      anichron sweeps orphans 0192f3c8 --what missing-file
      anichron sweeps orphans 0192f3c8 | awk 'NR > 1 {print $1}' > numbers
    """  # noqa: D301 -- \b keeps click from filling the lines
    kinds = frozenset(map(FindingKind, whats or FindingKind))

    async def read(desk: Desk) -> None:
        item = await found_item(desk, sweep)
        shown: _Document | _Lines = _Document() if as_json else _Lines(await desk.configs().all())
        there = Deletable()
        async for page in pages(desk, item, kinds):
            shown.add(page)
            there.add(page.findings)
        shown.end()
        if item.status is Status.CANCELLED:
            say("The sweep was cancelled: this is what it had found until then.")
        _say_what_next(item, there, is_narrowed=bool(whats))

    at_desk(read_settings(), read)


class _Document:
    """One JSON document, written as it is read: a sweep may have found more than fits into memory."""

    def __init__(self) -> None:
        self._before = b""

    def add(self, page: FindingsPage) -> None:
        """Write these, and the beginning before the first of them."""
        if not self._before:
            head = FindingsHead(page.is_partial)
            click.echo(msgspec.json.encode(head)[:-1] + b',"items":[', nl=False)
            self._before = b"\n"
        if page.findings:
            click.echo(self._before + b",\n".join(map(_encoded, page.findings)), nl=False)
            self._before = b",\n"

    def end(self) -> None:
        """Write the end."""
        click.echo("]}")


class _Lines:
    """A table on a terminal, a page at a time; a line for each finding elsewhere."""

    def __init__(self, configs: Sequence[StorageConfig]) -> None:
        self._libraries = frozenset(config.id for config in configs)
        self._is_table = Console().is_terminal
        self._has_begun = False

    def add(self, page: FindingsPage) -> None:
        """Show these, and the names of the columns before the first of them."""
        if not page.findings:
            return
        owners = {finding.owner for finding in page.findings}
        length = id_length(self._libraries | owners)
        rows = (_row(finding, length) for finding in page.findings)
        if self._is_table:
            show_table(COLUMNS, rows, wraps="Path", only_wide=ONLY_WIDE, header=not self._has_begun)
        else:
            if not self._has_begun:
                click.echo("  ".join((COLUMNS[0], COLUMNS[1].ljust(LONGEST_WHAT), *COLUMNS[2:])))
            click.echo("\n".join(map("  ".join, rows)))
        self._has_begun = True

    def end(self) -> None:
        """Say so if there was nothing."""
        if not self._has_begun:
            say("Nothing was found.")


def _encoded(finding: Finding) -> bytes:
    return msgspec.json.encode(finding_view(finding))


def _row(finding: Finding, length: int) -> Sequence[str]:
    """As wide on one page as on another."""
    modified = UNKNOWN if finding.modified_at is None else instant(finding.modified_at)
    return (
        str(finding.number).rjust(len(COLUMNS[0])),
        finding.what.value.ljust(LONGEST_WHAT),
        # The names of proxies can be shown as they are, and looking at each character of thousands takes its time.
        finding.path if finding.path.isprintable() else one_line(finding.path, longest=LONGEST_CELL),
        str(finding.size).rjust(WIDTH_OF_SIZES),
        modified.ljust(WIDTH_OF_INSTANTS),
        str(finding.owner)[:length],
    )


def _say_what_next(sweep: WorkItem, there: Deletable, *, is_narrowed: bool) -> None:
    if not there.files:
        say("None of this could be deleted." if is_narrowed else "No file could be deleted.")
        return
    choice = "--ids-file FILE" if is_narrowed else "--all"
    say(f"{there} could be deleted: anichron deletions start {sweep.id} {choice}")
